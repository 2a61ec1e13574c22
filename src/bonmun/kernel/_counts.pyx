"""Count what the network needs to know of a page.

The references are count_page.py and target_arrays.py in models/features/. Columns of a page are read from lists; counts
are returned as bytearrays of C numbers (see page_counts.py). All tables and limits are passed to `Counter`.
"""

include "counts_columns.pxi"
include "counts_texts.pxi"
include "counts_names.pxi"
include "counts_addresses.pxi"

cdef enum:
    MAX_USES = 16


cdef Py_ssize_t number_holders(
    const int32_t *parents, Py_ssize_t count, const int32_t *owners, Py_ssize_t n, int32_t *number
) noexcept nogil:
    """Number the elements that contain blocks, in order, with -1 for all others; return how many there are."""
    cdef Py_ssize_t i
    cdef int32_t found = 0
    memset(number, 0, (count + 1) * sizeof(int32_t))
    for i in range(n):
        number[owners[i]] = 1
    for i in range(count - 1, 0, -1):
        if number[i] and parents[i] >= 0:
            number[parents[i]] = 1
    for i in range(count):
        if number[i]:
            number[i] = found
            found += 1
        else:
            number[i] = -1
    return found


cdef class Counter:
    """Counts pages. Created once, with all tables."""

    cdef dict tag_codes
    cdef bytes uses, told
    cdef tuple counted
    cdef tuple href, type
    cdef int use_count, link, input
    cdef int link_characters, link_leaves
    cdef TextCounter texts
    cdef NameReader names
    cdef AddressReader addresses
    cdef uint8_t link_bit, hidden_bit
    cdef int facts_width, counts_place, password_place, address_place

    def __init__(
        self, *, dict tag_codes, bytes told, bytes uses, int use_count, tuple counted, bytes classes, int class_count,
        int end, tuple blanks, dict words, tuple naming, Py_ssize_t name_characters, Py_ssize_t address_characters,
        tuple nowhere, tuple contacts, tuple usual, float most, int link_characters, int link_leaves, int facts_width,
        int counts_place, int password_place, int address_place, int link_bit, int hidden_bit
    ):
        """Store the fields of the same names in models/; `told` and `uses` are tables by the code of a tag.

        `blanks` are the classes of characters that may follow a sentence mark, `naming` the attributes with names.
        """
        if len(tag_codes) > 255 or len(told) <= len(tag_codes) or len(uses) < len(told) * use_count:
            raise ValueError("table does not cover all tags")
        if any(code >= len(told) for code in (*tag_codes.values(), *counted)) or not 0 < use_count <= MAX_USES:
            raise ValueError("code of a tag out of range")
        if {link_characters, link_leaves} != {0, 1}:
            raise ValueError("columns of links do not match the kernel")
        if facts_width < max(counts_place + 2 + use_count + len(counted), password_place + 1) or min(
            counts_place, password_place, address_place
        ) < 0:
            raise ValueError("position of a page feature out of range")
        self.tag_codes, self.told, self.uses, self.use_count, self.counted = tag_codes, told, uses, use_count, counted
        self.link, self.input = tag_codes["a"], tag_codes["input"]
        self.texts = TextCounter(classes, class_count, end, blanks)
        self.names = NameReader(words, naming, name_characters)
        self.addresses = AddressReader(address_characters, nowhere, contacts, usual, most)
        self.href, self.type = ("href",), ("type",)
        self.link_characters, self.link_leaves = link_characters, link_leaves
        self.link_bit, self.hidden_bit = link_bit, hidden_bit
        self.facts_width, self.counts_place = facts_width, counts_place
        self.password_place, self.address_place = password_place, address_place

    def count(
        self, *, list elements not None, list tags not None, list parents not None, list owners not None,
        list starts not None, list opened not None, list leaf_elements not None, list texts not None,
        list block_texts not None, bits not None, list hidden, str title not None,
        str own_host not None, str own_path not None, tuple address_facts not None
    ):
        """Count a page; return a bytearray for each field of `PageCounts`, in order."""
        cdef Py_ssize_t n = len(starts), count = len(tags), leaves = len(texts), m, i, row
        cdef bytearray codes_, parents_, owners_, starts_, opened_, leaf_elements_, number_, holders_, bits_, out_hidden
        cdef uint8_t *codes
        cdef int32_t *number
        cdef int32_t *parent_of
        cdef int32_t *own
        cdef int32_t *out
        cdef int32_t *above
        cdef int32_t *owner_of
        cdef int32_t *element_of
        cdef uint8_t *tag_of
        cdef const uint8_t *told = self.told
        if len(elements) != count or len(block_texts) != n or (hidden is not None and len(hidden) != n):
            raise ValueError("columns differ in length")
        if count > 0x3FFFFFFF or leaves > 0x3FFFFFFF:
            raise ValueError("too many elements")
        parents_ = read_numbers(parents, count, -1, count - 1)
        owners_ = read_numbers(owners, n, 0, count - 1)
        starts_ = read_numbers(starts, n, 0, leaves - 1)
        opened_ = read_numbers(opened, n, 0, count)
        leaf_elements_ = read_numbers(leaf_elements, leaves, 0, count - 1)
        parent_of, own = ints_of(parents_), ints_of(starts_)
        for i in range(count):
            if parent_of[i] >= i:
                raise ValueError("parent after its child")
        for i in range(1, n):
            if own[i] <= own[i - 1]:
                raise ValueError("block without leaves")
        bits_ = read_leaf_bits(bits, count, leaf_elements_)
        codes_ = self.number_tags(tags)
        codes = bytes_of(codes_)

        number_ = make(count + 1, sizeof(int32_t))  # of each element that contains blocks, -1 for others
        number = ints_of(number_)
        m = number_holders(parent_of, count, ints_of(owners_), n, number)
        out_owners = make(n, sizeof(int32_t))
        out_inner = make(n, 1)
        out, tag_of, owner_of, element_of = ints_of(out_owners), bytes_of(out_inner), ints_of(owners_), ints_of(leaf_elements_)
        for i in range(n):
            out[i] = number[owner_of[i]]
            tag_of[i] = told[codes[element_of[own[i]]]]
        holders_ = make(m, sizeof(int32_t))
        out_parents = make(m, sizeof(int32_t))
        out_tags = make(m, 1)
        out, tag_of, above = ints_of(holders_), bytes_of(out_tags), ints_of(out_parents)
        for row in range(count):
            i = number[row]
            if i >= 0:
                out[i] = <int32_t> row
                above[i] = number[parent_of[row]] if parent_of[row] >= 0 else -1
                tag_of[i] = told[codes[row]]

        out_counts, out_edges, out_sentences, out_title = self.texts.count(block_texts, title)
        out_links, out_leaves = self.count_links(texts, bits_, starts_, n)
        if hidden is None:
            out_hidden = self.find_hidden(bits_, starts_)
        else:
            out_hidden = make(n, 1)
            for i in range(n):
                bytes_of(out_hidden)[i] = 1 if hidden[i] else 0
        out_targets = self.count_targets(
            elements, codes_, parents_, starts_, leaf_elements_, bits_, n, own_host, own_path
        )
        out_between, facts_counts = self.count_between(codes_, opened_, n)
        out_names, out_keys, words = self.names.number(elements, holders_, m)
        out_facts = self.count_facts(elements, codes_, leaves, facts_counts, address_facts)
        return (
            out_owners, out_inner, out_counts, out_edges, out_sentences, out_links, out_leaves, out_hidden, out_title,
            count_copies(block_texts), out_targets, out_between, out_parents, out_tags, out_names, out_keys,
            (<Words> words).words, (<Words> words).stops, out_facts,
        )

    cdef bytearray number_tags(self, list tags):
        """Return the code of each tag, 0 for tags that do not matter."""
        cdef Py_ssize_t i, count = len(tags)
        cdef bytearray memory = make(count, 1)
        cdef uint8_t *codes = bytes_of(memory)
        cdef PyObject *seen[256]  # tags are few different objects
        cdef uint8_t known[256]
        cdef PyObject *tag
        cdef PyObject *code
        cdef size_t slot
        memset(seen, 0, sizeof(seen))
        for i in range(count):
            tag = PyList_GET_ITEM_BORROWED(tags, i)
            slot = ((<size_t> tag >> 4) ^ (<size_t> tag >> 12)) & 255
            if seen[slot] != tag:
                code = PyDict_GetItemWithError(self.tag_codes, tag)
                seen[slot] = tag
                known[slot] = <uint8_t> (<object> code) if code != NULL else 0
            codes[i] = known[slot]
        return memory

    cdef tuple count_links(self, list texts, bytearray bits_, bytearray starts_, Py_ssize_t n):
        """Return how much of each block is in links, and the number of its leaves."""
        cdef bytearray links_ = make(n, 2 * sizeof(int32_t)), leaves_ = make(n, sizeof(int32_t))
        cdef int32_t *links = ints_of(links_)
        cdef int32_t *leaves = ints_of(leaves_)
        cdef const int32_t *starts = ints_of(starts_)
        cdef const uint8_t *bits = bytes_of(bits_)
        cdef Py_ssize_t i, leaf, stop, found, characters
        cdef Text text
        for i in range(n):
            stop = starts[i + 1] if i + 1 < n else len(texts)
            found = characters = 0
            for leaf in range(starts[i], stop):
                if bits[leaf] & self.link_bit:
                    open_text(PyList_GET_ITEM_BORROWED(texts, leaf), &text)
                    found += 1
                    characters += text.length
            links[2 * i + self.link_leaves] = <int32_t> found
            links[2 * i + self.link_characters] = <int32_t> characters
            leaves[i] = <int32_t> (stop - starts[i])
        return links_, leaves_

    cdef bytearray find_hidden(self, bytearray bits_, bytearray starts_):
        """Return whether the markup hides all leaves of each block; if it hides the whole page, none is hidden."""
        cdef Py_ssize_t n = len(starts_) // <Py_ssize_t> sizeof(int32_t), leaves = len(bits_), i, leaf, stop
        cdef bytearray hidden_ = make(n, 1)
        cdef uint8_t *hidden = bytes_of(hidden_)
        cdef const uint8_t *bits = bytes_of(bits_)
        cdef const int32_t *starts = ints_of(starts_)
        cdef uint8_t every = self.hidden_bit
        cdef uint8_t on_page = every
        for leaf in range(leaves):
            on_page &= bits[leaf]
        for i in range(n):
            stop = starts[i + 1] if i + 1 < n else leaves
            every = self.hidden_bit & ~on_page
            for leaf in range(starts[i], stop):
                every &= bits[leaf]
            hidden[i] = every != 0
        return hidden_

    cdef tuple count_between(self, bytearray codes_, bytearray opened_, Py_ssize_t n):
        """Return how many elements of each use come before each block and on the page, and the counts of the page."""
        cdef Py_ssize_t count = len(codes_), i, place
        cdef int uses = self.use_count, use
        cdef bytearray sums_ = make(count + 1, uses * sizeof(int32_t)), between_ = make(n + 1, uses * sizeof(int32_t))
        cdef int32_t *sums = ints_of(sums_)
        cdef int32_t *between = ints_of(between_)
        cdef const int32_t *opened = ints_of(opened_)
        cdef const uint8_t *codes = bytes_of(codes_)
        cdef const uint8_t *used = self.uses
        cdef int32_t each[256]
        memset(each, 0, sizeof(each))
        memset(sums, 0, uses * sizeof(int32_t))
        for i in range(count):
            each[codes[i]] += 1
            for use in range(uses):
                sums[(i + 1) * uses + use] = sums[i * uses + use] + used[codes[i] * uses + use]
        for i in range(n + 1):
            place = opened[i] if i < n else count
            memcpy(between + i * uses, sums + place * uses, uses * sizeof(int32_t))
        facts = [sums[count * uses + use] for use in range(uses)]
        facts += [each[<uint8_t> code] for code in self.counted]
        return between_, facts

    cdef bytearray count_facts(self, list elements, bytearray codes_, Py_ssize_t leaves, list counted, tuple address):
        """Return features of the page: counts of everything, whether it asks for a password, and those of its URL."""
        cdef bytearray facts_ = make(self.facts_width, sizeof(float))
        cdef float *facts = floats_of(facts_)
        cdef const uint8_t *codes = bytes_of(codes_)
        cdef Py_ssize_t i, count = len(codes_)
        cdef Reader reader
        cdef double value
        memset(facts, 0, self.facts_width * sizeof(float))
        if self.address_place + len(address) > self.facts_width:
            raise ValueError("too many features of a URL")
        for i, value in enumerate([count, leaves, *counted]):
            facts[self.counts_place + i] = <float> log1p(value)
        for i, value in enumerate(address):
            facts[self.address_place + i] = <float> value
        if count:
            find_reader(&reader, elements[0])
        for i in range(count):
            if codes[i] == self.input and read_attribute(&reader, elements[i], self.type) == "password":
                facts[self.password_place] = 1
                break
        return facts_

    cdef bytearray count_targets(
        self, list elements, bytearray codes_, bytearray parents_, bytearray starts_, bytearray leaf_elements_,
        bytearray bits_, Py_ssize_t n, str own_host, str own_path
    ):
        """Return features of the target of the first link of each block."""
        cdef Py_ssize_t i, leaf, link, stop, leaves = len(bits_), count = len(codes_)
        cdef bytearray targets_ = make(n, ADDRESS_COLUMNS * sizeof(float)), links_, numbers_, which_, copies_
        cdef float *targets = floats_of(targets_)
        cdef const int32_t *starts = ints_of(starts_)
        cdef const int32_t *leaf_elements = ints_of(leaf_elements_)
        cdef const int32_t *parents = ints_of(parents_)
        cdef const uint8_t *codes = bytes_of(codes_)
        cdef const uint8_t *bits = bytes_of(bits_)
        cdef int32_t *links
        cdef int32_t *numbers
        cdef int32_t *which
        cdef int32_t *copies
        cdef float *values
        cdef Reader reader
        cdef dict hrefs = {}
        memset(targets, 0, n * ADDRESS_COLUMNS * sizeof(float))
        if not n:
            return targets_
        links_ = make(count, sizeof(int32_t))  # the innermost <a> that contains each element
        links = ints_of(links_)
        for i in range(count):
            links[i] = <int32_t> i if codes[i] == self.link else links[parents[i]] if parents[i] >= 0 else -1
        numbers_ = make(count, sizeof(int32_t))  # that of the address of each link, or -1
        which_ = make(n, sizeof(int32_t))
        copies_ = make(n, sizeof(int32_t))
        numbers, which, copies = ints_of(numbers_), ints_of(which_), ints_of(copies_)
        memset(numbers, 0xFF, count * sizeof(int32_t))
        memset(copies, 0, n * sizeof(int32_t))
        find_reader(&reader, elements[0])
        for i in range(n):
            which[i] = -1
            stop = starts[i + 1] if i + 1 < n else leaves
            for leaf in range(starts[i], stop):
                if bits[leaf] & self.link_bit:
                    link = links[leaf_elements[leaf]]
                    if link >= 0:
                        if numbers[link] < 0:  # a link can be long and around many blocks
                            href = self.addresses.cut(read_attribute(&reader, elements[link], self.href))
                            numbers[link] = number_text(hrefs, href)
                        which[i] = numbers[link]
                        copies[which[i]] += 1
                    break
        values_ = self.addresses.describe(list(hrefs), own_host, own_path)
        values = floats_of(values_)
        for i in range(len(hrefs)):
            values[i * ADDRESS_COLUMNS + COPIES] = <float> log(<double> copies[i])
        for i in range(n):
            if which[i] >= 0:
                memcpy(
                    targets + i * ADDRESS_COLUMNS, values + which[i] * ADDRESS_COLUMNS, ADDRESS_COLUMNS * sizeof(float)
                )
        return targets_
