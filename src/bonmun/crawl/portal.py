class Portal:
    def __init__(self, articles=None): pass
    def sort_links(self, page, url): return [], []
