"""Split the URLs of links into parts, and describe them."""

# The columns of a link, as TARGETS in models/features/page_arrays.py.
cdef enum:
    LINKED, ELSEWHERE, NOWHERE, CONTACT, FOLDERS, LAST_LENGTH, DASHES, DIGITS, QUERY, ABOVE, BELOW, COPIES, SIBLINGS
    ADDRESS_COLUMNS

cdef struct Address:
    Py_ssize_t host, host_stop  # equal if the URL is relative
    Py_ssize_t path, path_stop  # without slashes at its ends
    Py_ssize_t last  # start of the last part of the path; the folder, if any, ends one before
    bint has_query


cdef Address split_address(const Text *text) noexcept nogil:
    """Return the parts of a URL."""
    cdef Address parts
    cdef Py_ssize_t i, stop = text.length, start = 0
    for i in range(text.length):
        if read(text, i) == c'?':
            stop = i
            break
    parts.has_query = stop + 1 < text.length
    parts.host = parts.host_stop = 0
    for i in range(min(stop, 8) - 1):  # https://
        if read(text, i) == c'/' and read(text, i + 1) == c'/':
            parts.host = i + 2
            start = parts.host
            while start < stop and read(text, start) != c'/':
                start += 1
            parts.host_stop = start
            break
    if parts.host_stop - parts.host >= 4 and (
        read(text, parts.host) == c'w' and read(text, parts.host + 1) == c'w'
        and read(text, parts.host + 2) == c'w' and read(text, parts.host + 3) == c'.'
    ):
        parts.host += 4
    while start < stop and read(text, start) == c'/':
        start += 1
    while stop > start and read(text, stop - 1) == c'/':
        stop -= 1
    parts.path, parts.path_stop, parts.last = start, stop, stop
    while parts.last > start and read(text, parts.last - 1) != c'/':
        parts.last -= 1
    return parts


cdef bint is_start(const Text *text, Py_ssize_t start, Py_ssize_t length, const Text *whole, Py_ssize_t place) noexcept nogil:
    """Return whether `length` characters of a text, from `start`, occur in another at `place`."""
    cdef Py_ssize_t i
    if place + length > whole.length:
        return False
    if text.kind == whole.kind:
        return not memcmp(
            <const char *> text.data + start * text.kind, <const char *> whole.data + place * whole.kind, length * text.kind
        )
    for i in range(length):
        if read(text, start + i) != read(whole, place + i):
            return False
    return True


cdef bint is_plain(const Text *text, Py_ssize_t start, Py_ssize_t stop) noexcept nogil:
    """Return whether lower-casing a text would not change it; False if unknown."""
    cdef Py_ssize_t i
    cdef uint32_t each
    for i in range(start, stop):
        each = read(text, i)
        if each >= 128 or c'A' <= each <= c'Z':
            return False
    return True


cdef bint has_scheme(const Text *text, str schemes) except -1:
    """Return whether a URL starts with one of these schemes: lower case, each followed by a line break."""
    cdef Text known
    cdef Py_ssize_t i, place = 0
    cdef uint32_t each, expected
    cdef bint is_equal = True
    open_text(<PyObject *> schemes, &known)
    for i in range(known.length):
        expected = read(&known, i)
        if expected == c'\n':
            if is_equal:
                return True
            place, is_equal = 0, True
            continue
        each = read(text, place) if place < text.length else 0
        each += 32 if c'A' <= each <= c'Z' else 0
        is_equal = is_equal and each == expected
        place += 1
    return False


cdef class Parts:
    """Numbers for parts of URLs: hosts, in lower case, or folders. Most are the same as in the URL before."""

    cdef dict numbers
    cdef bint is_lower
    cdef Text text  # which contains the last part
    cdef Py_ssize_t start, length
    cdef int32_t number

    def __cinit__(self, str first, bint is_lower):
        self.numbers, self.is_lower, self.length = {first: 0}, is_lower, -1

    cdef int32_t find(self, PyObject *address, const Text *text, Py_ssize_t start, Py_ssize_t stop) except -1:
        """Return the number of a part of a URL, which must outlive this object."""
        cdef Py_ssize_t length = stop - start
        cdef str part
        if length != self.length or not is_start(text, start, length, &self.text, self.start):
            part = PyUnicode_Substring(address, start, stop)
            if self.is_lower and not is_plain(text, start, stop):
                part = part.lower()
            self.number = number_text(self.numbers, part)
            self.text, self.start, self.length = text[0], start, length
        return self.number


cdef class AddressReader:
    """Describes the URLs of links."""

    cdef Py_ssize_t characters
    cdef str nowhere, contacts
    cdef tuple usual
    cdef float most

    def __init__(
        self, Py_ssize_t characters, tuple nowhere not None, tuple contacts not None, tuple usual not None, float most
    ):
        """Store how many characters of a URL are read, the prefixes of two kinds, and scales and maximum of counts."""
        if characters < 0 or len(usual) != COPIES:
            raise ValueError("columns of URLs do not match the kernel")
        self.characters, self.usual, self.most = characters, usual, most
        self.nowhere, self.contacts = "\n".join([*nowhere, ""]), "\n".join([*contacts, ""])

    cdef str cut(self, object href):
        """Return the part of a URL that is read."""
        cdef Text text
        cdef Py_ssize_t length
        if href is None:
            return ""
        open_text(<PyObject *> href, &text)
        if not text.length:
            return ""
        if text.length > self.characters:
            href = PyUnicode_Substring(<PyObject *> href, 0, self.characters)
        elif not Py_UNICODE_ISSPACE(read(&text, 0)) and not Py_UNICODE_ISSPACE(read(&text, text.length - 1)):
            return href
        return (<str> href).strip()

    cdef bytearray describe(self, list hrefs, str own_host, str own_path):
        """Return all columns of different URLs, except the number of copies."""
        cdef Py_ssize_t count = len(hrefs), i, length, path_length, place
        cdef bytearray values_ = make(count, ADDRESS_COLUMNS * sizeof(float))
        cdef bytearray hosts_ = make(count, sizeof(int32_t)), folders_ = make(count, sizeof(int32_t))
        cdef bytearray near_ = make(count, 1)
        cdef bytearray sums_ = make(2 * count + 2, sizeof(int32_t))
        cdef float *values = floats_of(values_)
        cdef float *own
        cdef int32_t *hosts = ints_of(hosts_)
        cdef int32_t *folders = ints_of(folders_)
        cdef int32_t *in_host = ints_of(sums_)
        cdef int32_t *in_folder = in_host + count + 1
        cdef int32_t home = 0
        cdef float usual[ADDRESS_COLUMNS]
        cdef Text text, mine
        cdef Address parts
        cdef Parts host_numbers = Parts(own_host, True), folder_numbers = Parts("", False)
        cdef PyObject *href
        cdef bint is_near
        cdef uint32_t each
        for i in range(COPIES):
            usual[i] = self.usual[i]
        memset(in_host, 0, (2 * count + 2) * sizeof(int32_t))
        open_text(<PyObject *> own_path, &mine)
        for i in range(count):
            href = PyList_GET_ITEM_BORROWED(hrefs, i)
            open_text(href, &text)
            parts = split_address(&text)
            hosts[i], folders[i] = -1, 0
            if parts.host < parts.host_stop:
                hosts[i] = host_numbers.find(href, &text, parts.host, parts.host_stop)
                in_host[hosts[i]] += 1
            if parts.last > parts.path:
                folders[i] = folder_numbers.find(href, &text, parts.path, parts.last - 1)
            in_folder[folders[i]] += 1
            own = values + i * ADDRESS_COLUMNS
            memset(own, 0, ADDRESS_COLUMNS * sizeof(float))
            own[LINKED] = 1
            own[QUERY] = parts.has_query
            own[NOWHERE] = 1
            if text.length:
                each = read(&text, 0)
                own[NOWHERE] = each != c'/' and each != c'h' and has_scheme(&text, self.nowhere)
                own[CONTACT] = each != c'/' and each != c'h' and has_scheme(&text, self.contacts)
            own[LAST_LENGTH] = parts.path_stop - parts.last
            own[FOLDERS] = parts.path < parts.path_stop
            for place in range(parts.path, parts.path_stop):
                each = read(&text, place)
                if each == c'/':
                    own[FOLDERS] += 1
                elif c'0' <= each <= c'9':
                    own[DIGITS] += 1
                elif place >= parts.last and (each == c'-' or each == c'_'):
                    own[DASHES] += 1
            length, path_length = mine.length, parts.path_stop - parts.path
            is_near = not own[NOWHERE] and not (length == path_length and is_start(&mine, 0, length, &text, parts.path))
            if is_near:
                own[ABOVE] = path_length <= length and is_start(&text, parts.path, path_length, &mine, 0)
                own[BELOW] = 0 < length <= path_length and is_start(&mine, 0, length, &text, parts.path)
        if not own_host:  # the host of most links is that of the page
            for i in range(1, len(host_numbers.numbers)):
                if in_host[i] > in_host[home]:
                    home = <int32_t> i
        for i in range(count):
            own = values + i * ADDRESS_COLUMNS
            if hosts[i] >= 0 and hosts[i] != home:
                own[ELSEWHERE] = 1
                own[ABOVE] = own[BELOW] = 0
            for place in range(COPIES):
                own[place] = min(own[place] / usual[place], self.most)
            own[SIBLINGS] = <float> log(<double> in_folder[folders[i]])
        return values_
