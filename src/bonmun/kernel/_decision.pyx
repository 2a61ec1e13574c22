"""Decide which blocks to keep, from their probabilities.

The references are decide.py and whole_units.py in models/network/.
"""

from cpython.bytearray cimport PyByteArray_AS_STRING, PyByteArray_GET_SIZE
from cpython.bytes cimport PyBytes_AS_STRING
from libc.math cimport exp, rintf
from libc.stdint cimport int16_t, int32_t, uint8_t
from libc.string cimport memcpy


cdef struct Blocks:
    # counts of the n blocks and m elements of a page
    Py_ssize_t n
    Py_ssize_t m
    int32_t* owners
    int32_t* counts
    int32_t* sentences
    int32_t* links
    uint8_t* hidden
    float* title
    int32_t* copies
    int32_t* parents
    uint8_t* tags
    # output of the network, adjusted; rounded to four decimals for decisions
    float* likely
    float* keep
    float* comment
    int32_t* groups
    # units
    int32_t* units
    uint8_t* unit_kinds
    Py_ssize_t unit_count
    # results
    float* words
    float* letters
    uint8_t* headings
    uint8_t* kept
    uint8_t* reasons


cdef class Decider:
    """Holds the thresholds of models/network/thresholds.py, and tables by the number of a tag. Created once."""

    cdef dict beta_of_favour
    cdef dict sure_of_favour
    cdef list leans
    cdef tuple reason_texts
    cdef bytes heading_table
    cdef bytes listed_table
    cdef bytes filled_kinds
    cdef bytes comment_words
    cdef const char* is_heading
    cdef const char* is_listed
    cdef const char* is_filled
    cdef float class_letters[64]
    cdef int classes, blank, line, wide, article, forum, documentation, none, formula, link_column
    cdef double article_chance, thread_chance, nothing_chance, small_nothing_chance, line_nothing_chance
    cdef double small_letters, line_letters, unsure_chance, doubt_chance, doubt_letters, hopeless_f1, unsure_f1
    cdef double meant_chance, surely_nothing_chance
    cdef float hole_chance, like_chance, heading_chance, title_share, label_words, between_words
    cdef float heading_words, surely, surely_not, kept_score, dropped_score, repeated_letters
    cdef double half, cut_share, tiny, least_span
    cdef int headline_blocks, far_blocks

    def __init__(
        self, dict names, list kinds, list unit_kinds, bytes heading_table, bytes listed_table, bytes comment_words,
        class_letters, int blank, int line, int wide, int link_column,
    ):
        self.beta_of_favour, self.sure_of_favour = names["FAVOURS"], names["SURE_CHANCE"]
        self.leans = [float(names["LEANS"].get(kind, 0.0)) for kind in kinds]
        self.reason_texts = names["REASON_TEXTS"]
        if len(self.reason_texts) != UNLIKE + 1 or names["UNLIKE"] != UNLIKE or names["PART"] != PART:
            raise ValueError("reason texts do not match the kernel")
        self.heading_table, self.listed_table, self.comment_words = heading_table, listed_table, comment_words
        self.filled_kinds = bytes(kind in names["FILLED_UNITS"] for kind in unit_kinds)
        self.formula = unit_kinds.index("formula")
        self.classes = len(class_letters)
        if len(heading_table) != 256 or len(listed_table) != 256 or not max(blank, line, wide) < self.classes <= 64:
            raise ValueError("tables do not match the kernel")
        self.is_heading, self.is_listed = PyBytes_AS_STRING(heading_table), PyBytes_AS_STRING(listed_table)
        self.is_filled = PyBytes_AS_STRING(self.filled_kinds)
        for i in range(self.classes):
            self.class_letters[i] = class_letters[i]
        self.blank, self.line, self.wide, self.link_column = blank, line, wide, link_column
        self.article, self.forum = kinds.index("article"), kinds.index("forum")
        self.documentation, self.none = kinds.index("documentation"), kinds.index("none")
        self.article_chance, self.thread_chance = names["ARTICLE_CHANCE"], names["THREAD_CHANCE"]
        self.nothing_chance, self.small_nothing_chance = names["NOTHING_CHANCE"], names["SMALL_NOTHING_CHANCE"]
        self.line_nothing_chance, self.small_letters = names["LINE_NOTHING_CHANCE"], names["SMALL_LETTERS"]
        self.line_letters, self.unsure_chance = names["LINE_LETTERS"], names["UNSURE_CHANCE"]
        self.doubt_chance, self.doubt_letters = names["DOUBT_CHANCE"], names["DOUBT_LETTERS"]
        self.meant_chance, self.surely_nothing_chance = names["MEANT_CHANCE"], names["SURELY_NOTHING_CHANCE"]
        self.hopeless_f1, self.unsure_f1 = names["HOPELESS_F1"], names["UNSURE_F1"]
        self.hole_chance, self.like_chance = names["HOLE_CHANCE"], names["LIKE_CHANCE"]
        self.heading_chance, self.title_share = names["HEADING_CHANCE"], names["TITLE_SHARE"]
        self.label_words, self.between_words = names["LABEL_WORDS"], names["BETWEEN_WORDS"]
        self.heading_words = names["HEADING_WORDS"]
        self.surely, self.surely_not = names["SURELY"], names["SURELY_NOT"]
        self.kept_score, self.dropped_score = names["KEPT_SCORE"], names["DROPPED_SCORE"]
        self.repeated_letters = names["REPEATED_LETTERS"]
        self.half, self.cut_share, self.tiny = names["HALF"], names["CUT_SHARE"], names["TINY"]
        self.least_span = names["LEAST_SPAN"]
        self.headline_blocks, self.far_blocks = names["HEADLINE_BLOCKS"], names["FAR_BLOCKS"]

    def sum_letters(self, bytearray counts):
        """Return the amount of text in all blocks of a page, in letters."""
        cdef int32_t* values = <int32_t*>PyByteArray_AS_STRING(counts)
        cdef Py_ssize_t i, n = PyByteArray_GET_SIZE(counts) // (4 * self.classes)
        cdef int k
        cdef double total = 0
        for i in range(n):
            for k in range(self.classes):
                total += values[i * self.classes + k] * <double>self.class_letters[k]
        return total

    def decide(
        self, counts, bytearray keep, bytearray comment, bytearray kind_chances, bytearray groups, bytearray units,
        bytearray unit_kinds, str favour, bint keeps_headlines, float filled,
    ):
        """Return kept, scores, reasons, comments, the expected F1, and the long blocks that occur more than once.

        `counts` are the page's counts, `kind_chances` the probabilities of the kinds of pages.
        """
        cdef list kinds = self.round_kinds(kind_chances)
        cdef Blocks b
        cdef Py_ssize_t i
        b.n = PyByteArray_GET_SIZE(counts.owners) // 4
        b.m = PyByteArray_GET_SIZE(counts.parents) // 4
        b.unit_count = len(unit_kinds)
        self._check(counts, keep, comment, groups, units, unit_kinds, b.n, b.m)
        b.owners, b.parents = _ints(counts.owners), _ints(counts.parents)
        b.counts, b.sentences, b.links = _ints(counts.counts), _ints(counts.sentences), _ints(counts.links)
        b.copies, b.title = _ints(counts.copies), _floats(counts.title)
        b.hidden, b.tags = _bytes(counts.hidden), _bytes(counts.tags)
        cdef bytearray likely_data = bytearray(keep)
        cdef bytearray keep_data = bytearray(len(keep))
        b.likely = _floats(likely_data)
        b.keep, b.comment, b.groups = _floats(keep_data), _floats(comment), _ints(groups)
        b.units, b.unit_kinds = _ints(units), _bytes(unit_kinds)
        cdef bytearray words = bytearray(4 * b.n)
        cdef bytearray letters = bytearray(4 * b.n)
        cdef bytearray headings = bytearray(b.n)
        cdef bytearray kept = bytearray(b.n)
        cdef bytearray reasons = bytearray(b.n)
        cdef bytearray scratch = bytearray(8 * (4 * b.n + 4 * b.unit_count + 4))
        b.words, b.letters, b.headings = _floats(words), _floats(letters), _bytes(headings)
        b.kept, b.reasons = _bytes(kept), _bytes(reasons)
        cdef bytearray named = self._find_named_comments(counts, b)
        cdef uint8_t* is_named = _bytes(named)
        cdef char* space = PyByteArray_AS_STRING(scratch)
        cdef double none = kinds[self.none], lean = 0
        cdef bint is_thread = <double>kinds[self.forum] > self.thread_chance
        cdef bint is_article = <double>kinds[self.article] > self.article_chance
        cdef bint is_told = <double>kinds[self.article] > 0.5 or <double>kinds[self.documentation] > 0.5
        cdef double sure = self.sure_of_favour[favour], beta = self.beta_of_favour[favour]
        for i in range(len(kinds)):
            lean += <double>_floats(kind_chances)[i] * <double>self.leans[i]
        cdef double threshold = 0, limit = 0, expected = 0
        cdef Py_ssize_t row = 0
        with nogil:
            self._measure(&b)
            self._lean(&b, <float>exp(lean), is_thread)
            self._level_units(&b, space)
            for i in range(b.n):
                b.keep[i] = _round(b.likely[i])
            row = _find_best_row(&b, beta, self.tiny, <int32_t*>space, &expected)
            threshold, limit = b.keep[row], b.likely[row]
            if is_article:
                threshold = _limit_threshold(b.keep, b.n, threshold, sure)
                limit = _limit_threshold(b.likely, b.n, limit, sure)
            self._give_reasons(&b, <float>threshold)
            if not keeps_headlines:
                self._drop_headline(&b)
            self._fill_holes(&b, filled)
            self._fill_headings(&b, filled, <int32_t*>space)
            self._drop_lone_labels(&b, <int32_t*>space)
            if is_told and not keeps_headlines:
                _drop_lone_headings(&b, self.heading_words)
            self._keep_between(&b, <int32_t*>space)
            self._mend_torn(&b, space)
            _mark_others(&b, is_named, is_thread)
            expected = self._doubt(&b, none, expected)
        return self._tell(&b, limit, expected)

    def round_kinds(self, bytearray kind_chances):
        """Return the probabilities of the kinds of pages, rounded."""
        if len(kind_chances) != 4 * len(self.leans):
            raise ValueError("kinds do not match the kernel")
        return [_round(_floats(kind_chances)[i]) for i in range(len(self.leans))]

    cdef _check(
        self, counts, bytearray keep, bytearray comment, bytearray groups, bytearray units, bytearray unit_kinds,
        Py_ssize_t n, Py_ssize_t m,
    ):
        """Raise ValueError for inconsistent arguments; every index is checked once, here."""
        cdef Py_ssize_t i
        cdef int32_t* owners = _ints(counts.owners)
        cdef int32_t* parents = _ints(counts.parents)
        cdef int32_t* numbers = _ints(units)
        cdef Py_ssize_t unit_count = len(unit_kinds)
        if unit_count and max(unit_kinds) >= len(self.filled_kinds):
            raise ValueError("kind of unit out of range")
        sizes = (counts.sentences, counts.title, counts.copies, keep, comment, groups, units)
        if any(len(each) != 4 * n for each in sizes) or len(counts.links) != 8 * n or len(counts.hidden) != n:
            raise ValueError("columns differ in length")
        if len(counts.counts) != 4 * self.classes * n or len(counts.tags) != m or len(counts.keys) != 4 * m:
            raise ValueError("columns differ in length")
        for i in range(n):
            if not 0 <= owners[i] < m:
                raise ValueError("owner out of range")
            if not -1 <= numbers[i] < unit_count:
                raise ValueError("unit out of range")
        for i in range(m):
            if not -1 <= parents[i] < i:
                raise ValueError("parent after its child")

    cdef bytearray _find_named_comments(self, counts, Blocks b):
        """Mark the blocks in elements whose class or id names comments."""
        cdef bytearray flags = bytearray(b.n)
        cdef bytearray elements = bytearray(b.m)
        cdef int16_t* words = <int16_t*>PyByteArray_AS_STRING(counts.words)
        cdef int32_t* stops = _ints(counts.word_stops)
        cdef int32_t* keys = _ints(counts.keys)
        cdef uint8_t* in_comment = _bytes(elements)
        cdef uint8_t* found = _bytes(flags)
        cdef const char* known = PyBytes_AS_STRING(self.comment_words)
        cdef Py_ssize_t word_count = PyByteArray_GET_SIZE(counts.words) // 2
        cdef Py_ssize_t key_count = PyByteArray_GET_SIZE(counts.word_stops) // 4
        cdef Py_ssize_t known_count = len(self.comment_words), i, start = 0
        cdef bytearray key_flags = bytearray(key_count)
        cdef uint8_t* is_comment = _bytes(key_flags)
        cdef bint some = False
        for i in range(key_count):
            if not start <= stops[i] <= word_count:
                raise ValueError("end of words out of range")
            while start < stops[i]:
                if 0 <= words[start] < known_count and known[words[start]]:
                    is_comment[i] = 1
                    some = True
                start += 1
        if not some:
            return flags
        for i in range(b.m):
            if not 0 <= keys[i] < key_count:
                raise ValueError("key out of range")
            in_comment[i] = is_comment[keys[i]] or (b.parents[i] >= 0 and in_comment[b.parents[i]])
        for i in range(b.n):
            found[i] = in_comment[b.owners[i]]
        return flags

    cdef void _measure(self, Blocks* b) noexcept nogil:
        cdef Py_ssize_t i
        cdef int k
        cdef int32_t* counts
        cdef float letters
        for i in range(b.n):
            counts = b.counts + i * self.classes
            b.words[i] = <float>(counts[self.blank] + counts[self.line] + 1 + counts[self.wide])
            letters = 0
            for k in range(self.classes):
                letters += <float>counts[k] * self.class_letters[k]
            b.letters[i] = letters
            b.headings[i] = self.is_heading[b.tags[b.owners[i]]]

    cdef void _lean(self, Blocks* b, float factor, bint is_thread) noexcept nogil:
        """Adjust probabilities by the kind of page; comments are main text in threads only."""
        cdef Py_ssize_t i
        cdef float keep, moved
        for i in range(b.n):
            keep = b.likely[i] if is_thread else b.likely[i] * (1 - b.comment[i])
            moved = keep * factor
            b.likely[i] = moved / (1 - keep + moved)

    cdef void _level_units(self, Blocks* b, char* space) noexcept nogil:
        """Give all blocks of a unit the same probability, unless it is to be split; hidden blocks are ignored."""
        cdef double* total = <double*>space
        cdef double* mean = total + b.unit_count
        cdef double* sure = mean + b.unit_count
        cdef double* never = sure + b.unit_count
        cdef Py_ssize_t i, unit
        cdef double words
        if not b.unit_count:
            return
        for i in range(4 * b.unit_count):
            total[i] = 0
        for i in range(b.n):
            unit = b.units[i]
            if unit < 0 or b.hidden[i]:
                continue
            words = b.words[i]
            total[unit] += words
            mean[unit] += words * b.likely[i]
            sure[unit] += words * (b.likely[i] > self.surely)
            never[unit] += words * (b.likely[i] < self.surely_not)
        for i in range(b.n):
            unit = b.units[i]
            if unit < 0 or b.hidden[i]:
                continue
            words = total[unit] if total[unit] > 1 else 1
            if sure[unit] / words < self.cut_share or never[unit] / words < self.cut_share:
                b.likely[i] = <float>(mean[unit] / words)

    cdef void _give_reasons(self, Blocks* b, float threshold) noexcept nogil:
        """Keep blocks over the threshold, and set the reason for each decision."""
        cdef Py_ssize_t i
        cdef int k
        cdef long long total
        for i in range(b.n):
            b.kept[i] = b.keep[i] >= threshold and b.keep[i] > 0
            if b.kept[i]:
                b.reasons[i] = KEPT if b.keep[i] > <float>0.5 else LIKELY
                continue
            total = 0
            for k in range(self.classes):
                total += b.counts[i * self.classes + k]
            if <long long>b.links[2 * i + self.link_column] * 2 > total:
                b.reasons[i] = LINKS
            else:
                b.reasons[i] = SHORT if b.words[i] < self.label_words else UNLIKE

    cdef void _drop_headline(self, Blocks* b) noexcept nogil:
        """Drop the first kept heading that is in the title, if it is near the start of the kept text."""
        cdef Py_ssize_t i
        cdef int before = 0
        for i in range(b.n):
            if not b.kept[i]:
                continue
            if b.headings[i] and b.title[i] > self.title_share and b.words[i] > 1:
                b.kept[i] = 0
                b.reasons[i] = TITLE
                return
            before += 1
            if before == self.headline_blocks:
                return

    cdef void _fill_holes(self, Blocks* b, float filled) noexcept nogil:
        """Keep a single block between kept blocks of the same list, table or run of paragraphs, or similar to one."""
        cdef Py_ssize_t i
        cdef int32_t parent
        cdef bint listed, alike
        cdef float keep
        for i in range(1, b.n - 1):
            if b.kept[i] or not b.kept[i - 1] or not b.kept[i + 1] or b.hidden[i]:
                continue
            parent = b.parents[b.owners[i]]
            listed = self.is_listed[b.tags[b.owners[i]]] != 0
            listed = listed and parent == b.parents[b.owners[i - 1]] and parent == b.parents[b.owners[i + 1]]
            alike = b.groups[i] == b.groups[i - 1] or b.groups[i] == b.groups[i + 1]
            keep = b.keep[i] if b.keep[i] >= filled else 0
            if (listed and keep >= self.hole_chance) or (alike and keep >= self.like_chance):
                b.kept[i] = 1
                b.reasons[i] = FILLED

    cdef void _fill_headings(self, Blocks* b, float filled, int32_t* following) noexcept nogil:
        """Keep headings with kept text directly before and after them; other headings may be in between."""
        cdef Py_ssize_t i
        cdef int32_t text = -1
        cdef float keep
        for i in range(b.n - 1, -1, -1):
            following[i] = text
            if not b.hidden[i] and not b.headings[i]:
                text = <int32_t>i
        text = -1
        for i in range(b.n):
            if b.hidden[i]:
                continue
            if not b.headings[i]:
                text = <int32_t>i
                continue
            keep = b.keep[i] if b.keep[i] >= filled else 0
            if b.kept[i] or keep < self.heading_chance or b.title[i] > self.title_share:
                continue
            if text >= 0 and following[i] >= 0 and b.kept[text] and b.kept[following[i]]:
                b.kept[i] = 1
                b.reasons[i] = FILLED

    cdef void _drop_lone_labels(self, Blocks* b, int32_t* before) noexcept nogil:
        """Drop labels that are far from all other text, unless there is nothing else."""
        cdef Py_ssize_t i, start, stop
        before[0] = 0  # number of kept blocks before each, and in all
        for i in range(b.n):
            before[i + 1] = before[i] + b.kept[i]
        if before[b.n] < 2:
            return
        for i in range(b.n):
            start = i - self.far_blocks if i > self.far_blocks else 0
            stop = i + self.far_blocks + 1 if i + self.far_blocks + 1 < b.n else b.n
            if b.kept[i] and b.words[i] < self.label_words and not b.sentences[i] and before[stop] - before[start] == 1:
                b.kept[i] = 0
                b.reasons[i] = LONE

    cdef void _keep_between(self, Blocks* b, int32_t* rows) noexcept nogil:
        """Keep dropped code, tables and formulas if the text before and after them is kept."""
        cdef Py_ssize_t i, count = 0, start = 0, stop
        cdef uint8_t* filled = <uint8_t*>(rows + b.n)  # for each of the rows, before anything is changed
        cdef uint8_t* is_kept = filled + b.n
        cdef bint some = False, is_formula, is_wanted
        if not b.unit_count:
            return
        for i in range(b.n):
            if b.hidden[i]:
                continue
            is_wanted = b.units[i] >= 0 and self.is_filled[b.unit_kinds[b.units[i]]] and not b.kept[i]
            if is_wanted or b.kept[i] or b.words[i] > self.between_words:
                rows[count] = <int32_t>i
                filled[count] = is_wanted
                is_kept[count] = b.kept[i]
                some |= is_wanted
                count += 1
        if not some:
            return
        while start < count:
            stop = start
            is_formula = True
            while stop < count and filled[stop]:
                is_formula &= b.unit_kinds[b.units[rows[stop]]] == self.formula
                stop += 1
            if start < stop and start > 0 and is_kept[start - 1]:
                if is_formula or (stop < count and is_kept[stop]):
                    for i in range(start, stop):
                        b.kept[rows[i]] = 1
                        b.reasons[rows[i]] = FILLED
            start = stop if stop > start else start + 1

    cdef void _mend_torn(self, Blocks* b, char* space) noexcept nogil:
        """Keep or drop units as a whole if their blocks have the same probability, by majority."""
        cdef double* total = <double*>space
        cdef double* kept = total + b.unit_count
        cdef double* first = kept + b.unit_count  # probability of the first block; -1 if unset, -2 if they differ
        cdef Py_ssize_t i, unit
        cdef double words
        cdef bint most
        if not b.unit_count:
            return
        for i in range(b.unit_count):
            total[i], kept[i], first[i] = 0, 0, -1
        for i in range(b.n):
            unit = b.units[i]
            if unit < 0 or b.hidden[i]:
                continue
            total[unit] += b.words[i]
            kept[unit] += <double>b.words[i] * b.kept[i]
            if first[unit] == -1:
                first[unit] = b.keep[i]
            elif first[unit] != b.keep[i]:
                first[unit] = -2
        for i in range(b.n):
            unit = b.units[i]
            if unit < 0 or b.hidden[i] or first[unit] == -2:
                continue
            words = total[unit] if total[unit] > 1 else 1
            most = kept[unit] / words >= self.half
            if b.kept[i] != most:
                b.reasons[i] = PART if b.kept[i] else FILLED
                b.kept[i] = most

    cdef double _doubt(self, Blocks* b, double none, double expected) noexcept nogil:
        """Drop everything if the page probably has no main text; return the expected F1."""
        cdef double letters = 0, kept = 0, meant = 0, chance
        cdef bint is_meant
        cdef Py_ssize_t i
        for i in range(b.n):
            letters += b.letters[i]
            if b.kept[i]:
                kept += b.letters[i]
                meant += <double>b.letters[i] * b.keep[i]
        is_meant = meant / max(kept, 1) >= self.meant_chance
        chance = self.line_nothing_chance if kept < self.line_letters else self.nothing_chance
        if letters < self.small_letters:
            chance = self.small_nothing_chance
        if is_meant and kept >= self.line_letters:
            chance = self.surely_nothing_chance
        if none > chance or expected < self.hopeless_f1:
            for i in range(b.n):
                if b.kept[i]:
                    b.reasons[i] = EMPTY
                    b.kept[i] = 0
            return expected * (1 - none)
        if (none > self.unsure_chance and not is_meant) or (none > self.doubt_chance and kept < self.doubt_letters):
            return min(expected, self.unsure_f1)
        return expected

    cdef _tell(self, Blocks* b, double threshold, double expected):
        """Return the decision as Python objects."""
        cdef list kept = [None] * b.n
        cdef list scores = [None] * b.n
        cdef list reasons = [None] * b.n
        cdef list comments = []
        cdef list copied = []
        cdef float below = <float>(2 * max(threshold, self.least_span))
        cdef float above = <float>(2 * max(1 - threshold, self.least_span))
        cdef float limit = <float>threshold, score
        cdef Py_ssize_t i
        for i in range(b.n):
            score = b.likely[i] / below if b.likely[i] < limit else 1 - (1 - b.likely[i]) / above
            if b.kept[i]:
                kept[i] = True
                scores[i] = score if score > self.kept_score else self.kept_score
                if b.copies[i] > 1 and b.letters[i] >= self.repeated_letters and b.units[i] < 0:
                    copied.append(i)
            else:
                kept[i] = False
                scores[i] = score if score < self.dropped_score else self.dropped_score
                if b.reasons[i] == COMMENT:
                    comments.append(i)
            reasons[i] = self.reason_texts[b.reasons[i]]
        return kept, scores, reasons, comments, expected, copied


cdef enum:
    KEPT, LIKELY, FILLED, HIDDEN, COMMENT, TITLE, LONE, HEADING, PART, EMPTY, LINKS, SHORT, UNLIKE


cdef inline int32_t* _ints(bytearray data):
    return <int32_t*>PyByteArray_AS_STRING(data)


cdef inline float* _floats(bytearray data):
    return <float*>PyByteArray_AS_STRING(data)


cdef inline uint8_t* _bytes(bytearray data):
    return <uint8_t*>PyByteArray_AS_STRING(data)


cdef inline float _round(float value) noexcept nogil:
    """Round to four decimals, as numpy does."""
    return rintf(value * 10000) / 10000


cdef double _limit_threshold(float* keep, Py_ssize_t n, double threshold, double sure) noexcept nogil:
    """Return the threshold, raised to `sure`, but not above the highest probability."""
    cdef double most = 0
    cdef Py_ssize_t i
    for i in range(n):
        most = max(most, <double>keep[i])
    return min(max(threshold, sure), most)


cdef Py_ssize_t _find_best_row(
    Blocks* b, double beta, double tiny, int32_t* order, double* expected
) noexcept nogil:
    """Return the row whose probability, as threshold, gives the highest expected F-beta over words, and that F-beta."""
    cdef double right = 0, found = 0, all_right = 0, f, best = -1
    cdef Py_ssize_t i, row, best_row = 0
    _sort_by_chance(order, order + b.n, b.keep, b.n)
    for i in range(b.n):
        all_right += b.keep[order[i]] * b.words[order[i]]
    for i in range(b.n):
        row = order[i]
        right += b.keep[row] * b.words[row]
        found += b.words[row]
        f = (1 + beta * beta) * right / (found + beta * beta * all_right + tiny)
        if f > best:
            best = f
            best_row = row
    expected[0] = best
    return best_row


cdef void _sort_by_chance(int32_t* order, int32_t* other, float* keep, Py_ssize_t n) noexcept nogil:
    """Sort rows by descending probability, stably: a bottom-up merge sort."""
    cdef Py_ssize_t i, width = 1, start, middle, stop, left, right
    cdef int32_t* source = order
    cdef int32_t* target = other
    for i in range(n):
        source[i] = <int32_t>i
    while width < n:
        start = 0
        while start < n:
            middle = min(start + width, n)
            stop = min(start + 2 * width, n)
            left, right = start, middle
            for i in range(start, stop):
                if left < middle and (right >= stop or keep[source[left]] >= keep[source[right]]):
                    target[i] = source[left]
                    left += 1
                else:
                    target[i] = source[right]
                    right += 1
            start += 2 * width
        source, target = target, source
        width *= 2
    if source != order:
        memcpy(order, source, n * sizeof(int32_t))


cdef void _drop_lone_headings(Blocks* b, float limit) noexcept nogil:
    """Drop headings of up to so many words without text under them before the next dropped heading or the end."""
    cdef Py_ssize_t i, text = b.n, stop = b.n
    for i in range(b.n - 1, -1, -1):
        if not b.headings[i] or b.words[i] > limit:
            if b.kept[i]:
                text = i
        elif not b.kept[i]:
            stop = i
        elif text >= stop:
            b.kept[i] = 0
            b.reasons[i] = HEADING


cdef void _mark_others(Blocks* b, uint8_t* is_named, bint is_thread) noexcept nogil:
    """Set the reason of dropped blocks that are hidden or comments."""
    cdef Py_ssize_t i
    for i in range(b.n):
        if b.kept[i]:
            continue
        if b.hidden[i]:
            b.reasons[i] = HIDDEN
        elif not is_thread and (is_named[i] or _round(b.comment[i]) > <float>0.5):
            b.reasons[i] = COMMENT
