// Every text of the screen, by language. A language that lacks one shows it in English.

import { translate } from "./korean.js";

const ENGLISH = {
  answerLoading: "Asking {method} …",
  blockOf: "Block {row} of {count}",
  blocksKept: "{kept} of {count} blocks kept",
  characters: "characters",
  above: "above the page’s mean",
  below: "below the page’s mean",
  chosen: "chosen",
  close: "Close",
  comment: "comment",
  compareNone: "compare with …",
  compareWith: "Compare with",
  confidence: "Confidence",
  copied: "Copied.",
  copy: "Copy",
  copyPath: "Copy XPath",
  differences: "Where they differ",
  dropped: "dropped",
  emptyResult: "Nothing is kept, so there is no text.",
  f1: "Word F1 between them",
  facts: "Facts",
  factsNone: "Nothing is known of this page but its text.",
  featuresAgainst: "against keeping it",
  featuresFor: "for keeping it",
  frame: "The page",
  goTo: "Show on the page",
  groups: "Groups",
  groupsNone: "This method weighs nothing that could be shown as a table.",
  help: "Keys",
  hidden: "hidden on the page",
  kept: "kept",
  keyChange: "next / previous change between kept and dropped, or doubtful block",
  keyCompare: "compare with another method",
  keyCopy: "copy the XPath of the block",
  keyEscape: "let go of the block, leave the search",
  keyFacts: "open a panel",
  keyHelp: "show the keys",
  keyMethod: "choose another method",
  keyNext: "next / previous block",
  keyPages: "next / previous page",
  keySearch: "search",
  keyStyles: "page styles on or off",
  keyTheme: "dark or light",
  kind: "Kind",
  labels: "Labels",
  leaves: "Leaves",
  loading: "Opening the page …",
  lowers: "What lowers it",
  lowersNone: "Nothing lowers it.",
  matches: "{at} of {count}",
  matchesNone: "no match",
  means: "Answers that looked like this one shared about {percent} % of their words with the right ones (F1).",
  meansOther: "This is the method’s own estimate: it cannot be compared with that of another method.",
  method: "Method",
  methods: "Methods",
  minimap: "Scores along the page",
  nextPage: "Next page",
  noBlock: "Point at a block, or press j, to see why it is kept or dropped.",
  keyOpen: "open another page",
  noPages: "There are no pages here.",
  open: "Open …",
  openCancel: "Cancel",
  openFile: "An HTML file",
  openHtml: "or HTML, pasted here",
  openIt: "Open",
  openNothing: "Choose a file, paste some HTML, or give an address.",
  openTitle: "Open a page",
  openUrl: "or its address",
  pasted: "pasted",
  onlyIn: "kept by {method} only",
  bothKeep: "kept by both",
  outputs: "Result",
  page: "Page",
  pageStyles: "Page styles",
  partly: "in part",
  path: "Chosen path",
  pathMost: "Most of the text stands at",
  pathsKept: "The paths of what is kept",
  previousPage: "Previous page",
  report: "a report: nothing here can be changed",
  score: "Score",
  search: "Search blocks",
  showAll: "Show all of it",
  notOnPage: "not on the page",
  themeDark: "Dark",
  themeLight: "Light",
  text: "Text",
  wordsKept: "{kept} of {count} words",
  wrong: "This page cannot be shown.",
};

const KOREAN = {
  answerLoading: "{method} 실행 중 …",
  blockOf: "블록 {row} / {count}",
  blocksKept: "블록 {count}개 중 {kept}개 유지",
  characters: "글자",
  above: "페이지 평균보다 높음",
  below: "페이지 평균보다 낮음",
  chosen: "선택된 것",
  close: "닫기",
  comment: "댓글",
  compareNone: "비교 대상 …",
  compareWith: "비교 대상",
  confidence: "신뢰도",
  copied: "복사했습니다.",
  copy: "복사",
  copyPath: "XPath 복사",
  differences: "서로 다른 블록",
  dropped: "제외",
  emptyResult: "유지된 블록이 없어 본문이 없습니다.",
  f1: "두 방법의 단어 F1",
  facts: "정보",
  factsNone: "본문 밖에 찾은 정보가 없습니다.",
  featuresAgainst: "제외 근거",
  featuresFor: "유지 근거",
  frame: "페이지",
  goTo: "페이지에서 보기",
  groups: "그룹",
  groupsNone: "이 방법에는 표로 보여 줄 근거가 없습니다.",
  help: "단축키",
  hidden: "페이지에서 숨겨짐",
  bothKeep: "둘 다 유지",
  kept: "유지",
  keyChange: "유지·제외가 바뀌거나 애매한 블록으로 (다음 / 이전)",
  keyCompare: "다른 방법과 비교",
  keyCopy: "블록의 XPath 복사",
  keyEscape: "블록 선택 해제, 검색 종료",
  keyFacts: "패널 열기",
  keyHelp: "단축키 보기",
  keyMethod: "다른 방법 고르기",
  keyNext: "다음 / 이전 블록",
  keyPages: "다음 / 이전 페이지",
  keySearch: "검색",
  keyStyles: "페이지 스타일 켜기 / 끄기",
  keyTheme: "어둡게 / 밝게",
  kind: "종류",
  labels: "라벨",
  leaves: "잎",
  loading: "페이지를 여는 중 …",
  lowers: "신뢰도를 낮추는 요인",
  lowersNone: "신뢰도를 낮추는 요인이 없습니다.",
  matches: "{count}개 중 {at}",
  matchesNone: "결과 없음",
  means: "이와 비슷한 결과는 정답과 단어가 약 {percent}% 일치했습니다 (F1).",
  meansOther: "이 방법이 스스로 매긴 값입니다. 방법끼리 비교할 수 없습니다.",
  method: "방법",
  methods: "방법",
  minimap: "페이지 전체의 점수",
  notOnPage: "페이지에 없음",
  noBlock: "블록에 마우스를 올리거나 j를 누르면 유지·제외 이유가 나타납니다.",
  nextPage: "다음 페이지",
  keyOpen: "다른 페이지 열기",
  noPages: "페이지가 없습니다.",
  open: "열기 …",
  openCancel: "취소",
  openFile: "HTML 파일",
  openHtml: "또는 HTML 붙여 넣기",
  openIt: "열기",
  openNothing: "파일을 고르거나 HTML을 붙여 넣거나 주소를 입력해 주십시오.",
  openTitle: "페이지 열기",
  openUrl: "또는 주소",
  pasted: "붙여 넣은 페이지",
  onlyIn: "{method}만 유지",
  partly: "일부",
  previousPage: "이전 페이지",
  report: "보고서: 여기서는 아무것도 바꿀 수 없습니다",
  outputs: "결과",
  page: "페이지",
  pageStyles: "페이지 스타일",
  path: "선택 경로",
  pathMost: "글이 가장 많은 경로",
  pathsKept: "유지된 블록의 경로",
  score: "점수",
  showAll: "모두 보기",
  search: "블록 검색",
  text: "본문",
  themeDark: "어둡게",
  themeLight: "밝게",
  wordsKept: "단어 {count}개 중 {kept}개",
  wrong: "이 페이지를 표시할 수 없습니다.",
};

/** Add texts of a part that not every screen has. */
export function addStrings(english, korean) {
  Object.assign(ENGLISH, english);
  Object.assign(KOREAN, korean);
}

const LANGUAGES = { en: ENGLISH, ko: KOREAN };
const asked = new URLSearchParams(location.search).get("lang") ?? navigator.language ?? "en";
const chosen = LANGUAGES[asked.slice(0, 2).toLowerCase()] ?? ENGLISH;

/** The language of the screen. */
export const LANGUAGE = chosen === KOREAN ? "ko" : "en";

/** A text of the screen, with values in the place of {names}. */
export function say(name, values = {}) {
  const text = chosen[name] ?? ENGLISH[name] ?? name;
  return text.replace(/\{(\w+)\}/g, (whole, key) => (key in values ? String(values[key]) : whole));
}

/** A word or sentence that the server says, in the language of the screen where we know it there. */
export function word(text) {
  return chosen === KOREAN && typeof text === "string" ? translate(text) : text;
}

/** Give every element with data-say its text, and those with data-label their name for screen readers. */
export function fillStrings(root) {
  root.documentElement.lang = LANGUAGE;
  for (const element of root.querySelectorAll("[data-say]")) element.textContent = say(element.dataset.say);
  for (const element of root.querySelectorAll("[data-label]")) {
    element.setAttribute("aria-label", say(element.dataset.label));
    if (element.matches("button, input, canvas")) element.title = say(element.dataset.label);
  }
}
