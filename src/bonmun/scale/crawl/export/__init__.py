"""Write the extracted pages of a crawl for readers: a folder of Markdown files, llms.txt, EPUB and WACZ."""
