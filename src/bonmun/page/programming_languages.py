"""Names of programming languages, as classes of code blocks have them."""

from __future__ import annotations

__all__ = ["LANGUAGES"]

LANGUAGES = frozenset(
    "ada apache applescript arduino asm assembly awk bash basic batch bat c c# c++ cc clojure clj cmake cobol coffee "
    "coffeescript console cpp crystal cs csharp css csv cuda d dart delphi diff docker dockerfile dos elixir elm "
    "erlang fish fortran fsharp gdscript gherkin glsl go golang graphql groovy haskell hcl hlsl hs html http ini "
    "ipython3 java javascript jinja js json json5 jsonc jsx julia kotlin kt latex lean less lisp llvm lua make "
    "makefile markdown md matlab mermaid mysql nasm nginx nim nix objc objective-c objectivec ocaml octave pascal "
    "patch perl php pl plsql postgres powershell prolog properties proto protobuf ps1 puppet py python python3 pycon "
    "qml r racket rb regex rest rs rst ruby rust sas sass scala scheme scss sh shell shell-session sml solidity sparql "
    "sql stata svelte swift systemd tcl terraform tex toml ts tsx typescript vb vbnet verilog vhdl vim vue wasm xml "
    "xquery yaml yml zig zsh".split()
)
