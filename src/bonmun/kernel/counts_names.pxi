"""Number the names of elements (class, id, role, itemprop), and find the known words in them."""

cdef enum:
    HALF_WORD_LETTERS = 12  # letters that fit in 64 bits
    MAX_WORD_LETTERS = 24  # letters; no known word is longer
    WORD_SLOTS = 8192  # size of the hash table of known words: a power of 2, more than twice their number
    SMALL = 32  # the bit of lower-case letters
    LETTER_BITS = 31

cdef struct Word:
    # Letters as numbers from 1, five bits each; different words have different numbers.
    uint64_t start  # the first letters
    uint64_t rest


cdef struct KnownWords:
    Word words[WORD_SLOTS]
    int16_t numbers[WORD_SLOTS]  # -1 in an empty slot


cdef inline void add_letter(Word *word, int size, uint64_t letter) noexcept nogil:
    """Add a letter to a word with `size` letters."""
    if size < HALF_WORD_LETTERS:
        word.start = word.start << 5 | letter
    else:
        word.rest = word.rest << 5 | letter


cdef inline uint32_t find_slot(const KnownWords *known, const Word *word) noexcept nogil:
    """Return the slot of a word in the table, or the empty slot where it would be."""
    cdef uint32_t slot = ((word.start ^ (word.rest << 1)) * 0x9E3779B97F4A7C15ULL) >> 32 & (WORD_SLOTS - 1)
    while known.numbers[slot] >= 0 and (
        known.words[slot].start != word.start or known.words[slot].rest != word.rest
    ):
        slot = (slot + 1) & (WORD_SLOTS - 1)
    return slot


cdef inline int read_letter(Character character) noexcept nogil:
    """Return the number of a letter from a to z, starting at 1, plus SMALL for lower case; 0 for other characters."""
    cdef uint32_t letter = (<uint32_t> character | 32) - c'a'
    if letter >= 26 or <uint32_t> character >= 128:
        return 0
    return <int> (letter + 1) | (<int> character & SMALL)


cdef Py_ssize_t split_words(
    const Character *text, Py_ssize_t length, const KnownWords *known, int16_t *found
) noexcept nogil:
    """Write the known words of a name, at most one per character; return their number. "postBody" has two."""
    cdef Py_ssize_t i = 0, count = 0
    cdef int size, letter, before
    cdef int16_t number
    cdef Word word
    while i < length:
        letter = read_letter(text[i])
        i += 1
        if not letter:
            continue
        word.start, word.rest, size = letter & LETTER_BITS, 0, 1
        while i < length:
            before = letter
            letter = read_letter(text[i])
            if not letter or (before & SMALL and not letter & SMALL):
                break
            if size < MAX_WORD_LETTERS:
                add_letter(&word, size, letter & LETTER_BITS)
            size += 1 if size <= MAX_WORD_LETTERS else 0
            i += 1
        if size <= MAX_WORD_LETTERS:
            number = known.numbers[find_slot(known, &word)]
            if number >= 0:
                found[count] = number
                count += 1
    return count


cdef class Words:
    """The words of all names, one key after the other."""

    cdef bytearray words, stops
    cdef Py_ssize_t count, keys

    def __cinit__(self, Py_ssize_t most_keys):
        self.words = make(1024, sizeof(int16_t))
        self.stops = make(most_keys, sizeof(int32_t))

    cdef int add(self, object name, Py_ssize_t most, const KnownWords *known) except -1:
        """Add the words of a name to those of the last key."""
        cdef Text text
        cdef Py_ssize_t length
        cdef int16_t *place
        if name is None:
            return 0
        open_text(<PyObject *> name, &text)
        length = min(text.length, most)
        if (self.count + length) * <Py_ssize_t> sizeof(int16_t) > len(self.words):
            PyByteArray_Resize(self.words, 2 * (self.count + length) * <Py_ssize_t> sizeof(int16_t))
        place = <int16_t *> PyByteArray_AS_STRING(self.words) + self.count
        if text.kind == 1:
            self.count += split_words(<const uint8_t *> text.data, length, known, place)
        elif text.kind == 2:
            self.count += split_words(<const uint16_t *> text.data, length, known, place)
        else:
            self.count += split_words(<const uint32_t *> text.data, length, known, place)
        return 0

    cdef int end_key(self) except -1:
        ints_of(self.stops)[self.keys] = <int32_t> self.count
        self.keys += 1
        return 0

    cdef int cut(self) except -1:
        """Release unused memory."""
        PyByteArray_Resize(self.words, self.count * <Py_ssize_t> sizeof(int16_t))
        PyByteArray_Resize(self.stops, self.keys * <Py_ssize_t> sizeof(int32_t))
        return 0


cdef class NameReader:
    """Numbers the names of elements and finds the words in them."""

    cdef bytearray words
    cdef tuple naming
    cdef Py_ssize_t most

    def __init__(self, dict words not None, tuple naming not None, Py_ssize_t most):
        """Store the numbers of the known words, the four naming attributes, and how many characters are read."""
        if len(naming) != 4 or most < 0 or 2 * len(words) > WORD_SLOTS:
            raise ValueError("naming attributes do not match the kernel, or too many words")
        self.naming = tuple([(name,) for name in naming])
        self.most = most
        self.learn_words(words)

    cdef int learn_words(self, dict words) except -1:
        """Build the hash table of words."""
        cdef bytes each
        cdef int number, size, letter
        cdef uint32_t slot
        cdef KnownWords *known
        cdef Word word
        self.words = make(1, sizeof(KnownWords))
        known = <KnownWords *> PyByteArray_AS_STRING(self.words)
        memset(known, 0xFF, sizeof(KnownWords))
        for each, number in words.items():
            if not 0 <= number < 0x8000 or not 0 < len(each) <= MAX_WORD_LETTERS:
                raise ValueError(f"word or number out of range: {each!r}")
            word.start = word.rest = 0
            for size in range(len(each)):
                letter = read_letter[uint8_t](each[size])
                if not letter & SMALL:
                    raise ValueError(f"word is not lower case: {each!r}")
                add_letter(&word, size, letter & LETTER_BITS)
            slot = find_slot(known, &word)
            known.words[slot], known.numbers[slot] = word, <int16_t> number
        return 0

    cdef tuple number(self, list elements, bytearray holders_, Py_ssize_t m):
        """Return a number for the class and one for all names of each element, and the words of the latter."""
        cdef bytearray names_ = make(m, sizeof(int32_t)), keys_ = make(m, sizeof(int32_t))
        cdef bytearray plain_ = make(m, sizeof(int32_t))  # for each class, the key of elements without other names
        cdef int32_t *names = ints_of(names_)
        cdef int32_t *keys = ints_of(keys_)
        cdef int32_t *plain = ints_of(plain_)
        cdef const int32_t *holders = ints_of(holders_)
        cdef const KnownWords *known = <const KnownWords *> PyByteArray_AS_STRING(self.words)
        cdef dict classes = {}, others = {}
        cdef Words words = Words(m)
        cdef Py_ssize_t i, count, most = self.most
        cdef int32_t key
        cdef PyObject *found
        cdef Reader reader
        cdef tuple whole
        class_, id_, role, prop = self.naming
        if m:
            find_reader(&reader, elements[holders[0]])
            memset(plain, 0xFF, m * sizeof(int32_t))
        for i in range(m):
            node = elements[holders[i]]
            count = count_attributes(&reader, node)  # usually none or one
            said = read_attribute(&reader, node, class_) if count else None
            own = acts = holds = None
            if count > (said is not None):
                own = read_attribute(&reader, node, id_)
                acts = read_attribute(&reader, node, role)
                holds = read_attribute(&reader, node, prop)
            names[i] = number_text(classes, said)
            if own is None and acts is None and holds is None:
                if plain[names[i]] < 0:
                    plain[names[i]] = <int32_t> words.keys
                    words.add(said, most, known)
                    words.end_key()
                keys[i] = plain[names[i]]
                continue
            whole = (said, own, acts, holds)
            found = PyDict_GetItemWithError(others, <PyObject *> whole)
            if found != NULL:
                keys[i] = <object> found
                continue
            keys[i] = key = <int32_t> words.keys
            PyDict_SetItem(others, whole, key)
            for each in whole:
                words.add(each, most, known)
            words.end_key()
        words.cut()
        return names_, keys_, words
