"""TeX commands for the characters of formulas: Greek letters, operators, arrows, accents, alphabets, functions."""

from __future__ import annotations

import unicodedata
from functools import cache

__all__ = [
    "ARROWS",
    "BIG",
    "BINARY",
    "CLOSING",
    "FUNCTIONS",
    "OPENING",
    "OVER",
    "UNDER",
    "VARIANTS",
    "escape_text",
    "write_character",
]

_SYMBOLS = """
α alpha β beta γ gamma δ delta ε varepsilon ϵ epsilon ζ zeta η eta θ theta ϑ vartheta ι iota κ kappa ϰ varkappa λ lambda
μ mu ν nu ξ xi π pi ϖ varpi ρ rho ϱ varrho σ sigma ς varsigma τ tau υ upsilon φ varphi ϕ phi χ chi ψ psi ω omega
Γ Gamma Δ Delta Θ Theta Λ Lambda Ξ Xi Π Pi Σ Sigma Υ Upsilon Φ Phi Ψ Psi Ω Omega µ mu ∆ Delta Ω Omega
ℓ ell ℏ hbar ħ hbar ℘ wp ℑ Im ℜ Re ℵ aleph ℶ beth ı imath ȷ jmath ∂ partial ∇ nabla ∞ infty ∅ emptyset ∀ forall
∃ exists ∄ nexists ¬ neg ⊤ top ⊥ perp ∠ angle △ triangle □ square ◻ square ■ blacksquare ∎ blacksquare ★ bigstar
♯ sharp ♭ flat ♮ natural ♠ spadesuit ♣ clubsuit ♥ heartsuit ♢ diamondsuit ◊ lozenge ✓ checkmark ′ prime ‵ backprime
† dagger ‡ ddagger § S ¶ P © copyright £ pounds
± pm ∓ mp × times ÷ div ⋅ cdot · cdot ∗ ast ⋆ star ∘ circ ∙ bullet • bullet ⊕ oplus ⊖ ominus ⊗ otimes ⊘ oslash
⊙ odot ∩ cap ∪ cup ⊓ sqcap ⊔ sqcup ⊎ uplus ∧ wedge ∨ vee ∖ setminus ≀ wr ⋄ diamond ⋊ rtimes ⋉ ltimes ⨯ times
≤ leq ⩽ leqslant ≥ geq ⩾ geqslant ≠ neq ≈ approx ≡ equiv ≅ cong ≃ simeq ∼ sim ∝ propto ≪ ll ≫ gg ≺ prec ≻ succ
⪯ preceq ⪰ succeq ≼ preccurlyeq ≽ succcurlyeq ∈ in ∉ notin ∋ ni ⊂ subset ⊃ supset ⊆ subseteq ⊇ supseteq ⊄ nsubset
⊊ subsetneq ⊋ supsetneq ⊈ nsubseteq ⊉ nsupseteq ⊏ sqsubset ⊐ sqsupset ⊑ sqsubseteq ⊒ sqsupseteq ⊢ vdash ⊣ dashv
⊨ models ⊩ Vdash ∣ mid ∤ nmid ∥ parallel ∦ nparallel ≐ doteq ≑ doteqdot ≜ triangleq ≔ coloneqq ≕ eqqcolon ≍ asymp
⋈ bowtie ≲ lesssim ≳ gtrsim ≶ lessgtr ≷ gtrless ≮ nless ≯ ngtr ≰ nleq ≱ ngeq ≁ nsim ≇ ncong ⊲ vartriangleleft
⊳ vartriangleright ⊴ trianglelefteq ⊵ trianglerighteq ∴ therefore ∵ because ⌣ smile ⌢ frown
← leftarrow → to ↑ uparrow ↓ downarrow ↔ leftrightarrow ↕ updownarrow ⇐ Leftarrow ⇒ Rightarrow ⇑ Uparrow ⇓ Downarrow
⇔ Leftrightarrow ⟵ longleftarrow ⟶ longrightarrow ⟷ longleftrightarrow ⟸ Longleftarrow ⟹ Longrightarrow ⟺ iff
↦ mapsto ⟼ longmapsto ↪ hookrightarrow ↩ hookleftarrow ↗ nearrow ↘ searrow ↙ swarrow ↖ nwarrow ⇌ rightleftharpoons
⇋ leftrightharpoons ⇀ rightharpoonup ⇁ rightharpoondown ↼ leftharpoonup ↽ leftharpoondown ↠ twoheadrightarrow
↝ rightsquigarrow ⇝ rightsquigarrow ↾ upharpoonright ⊸ multimap
… ldots ⋯ cdots ⋮ vdots ⋱ ddots
∑ sum ∏ prod ∐ coprod ∫ int ∬ iint ∭ iiint ∮ oint ∯ oiint ⋂ bigcap ⋃ bigcup ⋀ bigwedge ⋁ bigvee ⨁ bigoplus
⨂ bigotimes ⨀ bigodot ⨄ biguplus ⨆ bigsqcup
⟨ langle ⟩ rangle 〈 langle 〉 rangle ⌈ lceil ⌉ rceil ⌊ lfloor ⌋ rfloor ‖ | ⟦ llbracket ⟧ rrbracket { { } } \\ backslash
ℂ mathbb{C} ℍ mathbb{H} ℕ mathbb{N} ℙ mathbb{P} ℚ mathbb{Q} ℝ mathbb{R} ℤ mathbb{Z} ℒ mathcal{L} ℱ mathcal{F}
ℋ mathcal{H} ℐ mathcal{I} ℛ mathcal{R} ℬ mathcal{B} ℰ mathcal{E} ℳ mathcal{M} ℴ mathcal{o} ℯ mathcal{e} ℊ mathcal{g}
ℭ mathfrak{C} ℌ mathfrak{H} ℨ mathfrak{Z} Å mathring{A} ° degree
$ $ % % # # & &
""".split()
SYMBOLS = {character: "\\" + name for character, name in zip(_SYMBOLS[::2], _SYMBOLS[1::2], strict=True)}
SYMBOLS |= {
    "−": "-",
    "‐": "-",
    "–": "-",
    "⁄": "/",
    "∕": "/",
    "∶": ":",
    "″": "''",
    "‴": "'''",
    "~": r"\sim",
    "^": r"\hat{}",
    "_": r"\_",
    "\u00a0": "~",
    "\u2003": r"\quad",
    "\u2002": r"\enspace",
    "\u2005": r"\:",
    "\u2004": r"\;",
    "\u2009": r"\,",
    "\u200a": r"\,",
    "\u2062": "",  # invisible times, function application, comma and plus
    "\u2061": "",
    "\u2063": "",
    "\u2064": "",
    "\u200b": "",
}

BINARY = frozenset(
    "+ - − ± ∓ × ÷ ⋅ · ∗ * ⋆ ∘ ∙ ⊕ ⊖ ⊗ ⊘ ⊙ ∩ ∪ ⊓ ⊔ ⊎ ∧ ∨ ∖ ≀ ⋊ ⋉ = < > ≤ ⩽ ≥ ⩾ ≠ ≈ ≡ ≅ ≃ ∼ ~ ∝ ≪ ≫ ≺ ≻ ⪯ ⪰ ≼ ≽ ∈ ∉ ∋ "
    "⊂ ⊃ ⊆ ⊇ ⊄ ⊊ ⊋ ⊈ ⊏ ⊐ ⊑ ⊒ ⊢ ⊣ ⊨ ∣ ∥ ≐ ≜ ≔ := ≍ ≲ ≳ ⊲ ⊳ ∴ ∵ ← → ↔ ⇐ ⇒ ⇔ ⟵ ⟶ ⟷ ⟸ ⟹ ⟺ ↦ ⟼ ↪ ⇌".split()
)
BIG = frozenset("∑∏∐∫∬∭∮∯⋂⋃⋀⋁⨁⨂⨀⨄⨆")
ARROWS = {"→": "xrightarrow", "⟶": "xrightarrow", "←": "xleftarrow", "⟵": "xleftarrow"}
ARROWS |= {"⇒": "xRightarrow", "⇐": "xLeftarrow", "↔": "xleftrightarrow", "↦": "xmapsto", "⇌": "xrightleftharpoons"}
OPENING = dict(
    zip("([{⟨⌈⌊|‖∣∥", ("(", "[", r"\{", r"\langle ", r"\lceil ", r"\lfloor ", "|", r"\|", "|", r"\|"), strict=True)
)
CLOSING = dict(
    zip(")]}⟩⌉⌋|‖∣∥", (")", "]", r"\}", r"\rangle ", r"\rceil ", r"\rfloor ", "|", r"\|", "|", r"\|"), strict=True)
)

# Marks over or under a base: accents for one character, else lines that stretch.
OVER = {"^": "hat", "ˆ": "hat", "̂": "hat", "~": "tilde", "˜": "tilde", "̃": "tilde", "∼": "tilde", "¯": "bar", "̄": "bar"}
OVER |= {
    "‾": "overline",
    "―": "overline",
    "_": "overline",
    "̅": "overline",
    "→": "vec",
    "⃗": "vec",
    "˙": "dot",
    "̇": "dot",
}
OVER |= {".": "dot", "¨": "ddot", "̈": "ddot", "⃛": "dddot", "ˇ": "check", "̌": "check", "˘": "breve", "̆": "breve"}
OVER |= {"´": "acute", "́": "acute", "`": "grave", "̀": "grave", "˚": "mathring", "̊": "mathring", "⏞": "overbrace"}
OVER |= {"←": "overleftarrow", "↔": "overleftrightarrow", "⏜": "overparen", "⇀": "overrightharpoon"}
UNDER = {"_": "underline", "̲": "underline", "‾": "underline", "¯": "underline", "―": "underline", "⏟": "underbrace"}
UNDER |= {"→": "underrightarrow", "←": "underleftarrow"}

FUNCTIONS = frozenset(
    "arccos arcsin arctan arg cos cosh cot coth csc deg det dim exp gcd hom inf ker lg lim liminf limsup ln log max "
    "min Pr sec sin sinh sup tan tanh".split()
)
# Values of `mathvariant`; "normal" is upright, as digits and signs always are.
VARIANTS = {"normal": "mathrm", "bold": "mathbf", "bold-italic": "boldsymbol", "double-struck": "mathbb"}
VARIANTS |= {"script": "mathcal", "bold-script": "mathcal", "fraktur": "mathfrak", "bold-fraktur": "mathfrak"}
VARIANTS |= {"sans-serif": "mathsf", "bold-sans-serif": "mathsf", "sans-serif-italic": "mathsf", "monospace": "mathtt"}
VARIANTS |= {"-tex-calligraphic": "mathcal", "-tex-bold-calligraphic": "mathcal", "-tex-mathit": "mathit"}
# The same variants as Unicode characters: 𝐱 is MATHEMATICAL BOLD SMALL X.
_ALPHABETS = {
    "BOLD ITALIC": "boldsymbol",
    "ITALIC": "",
    "BOLD SCRIPT": "mathcal",
    "SCRIPT": "mathcal",
    "BOLD FRAKTUR": "mathfrak",
    "FRAKTUR": "mathfrak",
    "DOUBLE-STRUCK": "mathbb",
    "SANS-SERIF": "mathsf",
    "MONOSPACE": "mathtt",
    "BOLD": "mathbf",
}
_TEXT_SIGNS = {sign: "\\" + sign for sign in "#$%&_{}"} | {"\\": r"\textbackslash{}"}
_TEXT_SIGNS |= {"^": r"\textasciicircum{}", "~": r"\textasciitilde{}"}
_TEXT = str.maketrans(_TEXT_SIGNS | {"\u00a0": " "})


def escape_text(text: str) -> str:
    r"""Escape text for `\text{…}`."""
    return text.translate(_TEXT)


def write_character(character: str) -> str:
    """Return the TeX of a character; a command has no space after it."""
    known = SYMBOLS.get(character)
    if known is not None:
        return known
    if "\U0001d400" <= character <= "\U0001d7ff":
        return _write_letter(character)
    return character


@cache  # of at most a thousand characters; looking up a name takes long
def _write_letter(character: str) -> str:
    """Return the TeX of a character in one of Unicode's mathematical alphabets."""
    letter = unicodedata.normalize("NFKC", character)
    if letter == character:  # not assigned
        return character
    plain = write_character(letter)
    name = unicodedata.name(character, "").removeprefix("MATHEMATICAL ")
    alphabet = next((tex for start, tex in _ALPHABETS.items() if name.startswith(start)), "")
    if alphabet == "mathbf" and plain.startswith("\\"):
        alphabet = "boldsymbol"
    return f"\\{alphabet}{{{plain}}}" if alphabet else plain
