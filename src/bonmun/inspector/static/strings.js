// Every text of the screen, by language. A language that lacks one shows it in English.

const ENGLISH = {
  all: "All",
  answerLoading: "Asking {method} …",
  blockOf: "Block {row} of {count}",
  blocksKept: "{kept} of {count} blocks kept",
  characters: "characters",
  chosen: "chosen",
  close: "Close",
  comment: "comment",
  compareNone: "compare with …",
  compareWith: "Compare with",
  confidence: "Confidence",
  copied: "Copied.",
  copy: "Copy",
  copyPath: "Copy XPath",
  decision: "Decision",
  differences: "Where they differ",
  dropped: "dropped",
  emptyResult: "Nothing is kept, so there is no text.",
  f1: "Word F1 between them",
  facts: "Facts",
  factsNone: "Nothing is known of this page but its text.",
  features: "What spoke most",
  featuresAgainst: "against keeping it",
  featuresFor: "for keeping it",
  featuresLoading: "Asking the network …",
  featuresNone: "Only the method auto, where its network decides, can say this.",
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
  meansOther: "This is the method’s own estimate.",
  method: "Method",
  methods: "Methods",
  minimap: "Scores along the page",
  nextPage: "Next page",
  noBlock: "Point at a block, or press j, to see why it is kept or dropped.",
  noPages: "There are no pages here.",
  onlyIn: "only {method}",
  bothKeep: "both",
  outputs: "Result",
  page: "Page",
  pageStyles: "Page styles",
  partly: "in part",
  path: "Chosen path",
  pathsKept: "The paths of what is kept",
  previousPage: "Previous page",
  reason: "Reason",
  report: "a report: nothing here can be changed",
  score: "Score",
  search: "Search blocks",
  sourceDeclared: "declared, not shown",
  theme: "Theme",
  themeDark: "Dark",
  themeLight: "Light",
  text: "Text",
  title: "bonmun inspector",
  wordsKept: "{kept} of {count} words",
  wrong: "This page cannot be shown.",
  xpath: "XPath",
};

const KOREAN = {
  all: "전체",
  answerLoading: "{method} 실행 중 …",
  blockOf: "블록 {row} / {count}",
  blocksKept: "블록 {count}개 중 {kept}개 유지",
  characters: "글자",
  chosen: "선택됨",
  close: "닫기",
  comment: "댓글",
  compareNone: "비교 대상 …",
  compareWith: "비교 대상",
  confidence: "신뢰도",
  copied: "복사했습니다.",
  copy: "복사",
  copyPath: "XPath 복사",
  decision: "판정",
  differences: "서로 다른 블록",
  dropped: "제외",
  emptyResult: "유지된 블록이 없어 본문이 없습니다.",
  f1: "두 방법의 단어 F1",
  facts: "정보",
  factsNone: "본문 외에 알려진 정보가 없습니다.",
  features: "가장 크게 작용한 특징",
  featuresAgainst: "제외 쪽",
  featuresFor: "유지 쪽",
  featuresLoading: "신경망에 묻는 중 …",
  featuresNone: "auto의 신경망이 판정한 경우에만 볼 수 있습니다.",
  frame: "페이지",
  goTo: "페이지에서 보기",
  groups: "그룹",
  groupsNone: "이 방법은 표로 보일 근거가 없습니다.",
  help: "단축키",
  hidden: "페이지에서 숨겨짐",
  kept: "유지",
  labels: "라벨",
  leaves: "잎",
  loading: "페이지를 여는 중 …",
  lowers: "신뢰도를 낮추는 것",
  lowersNone: "낮추는 것이 없습니다.",
  matchesNone: "없음",
  method: "방법",
  methods: "방법",
  minimap: "페이지를 따라 본 점수",
  noBlock: "블록을 가리키거나 j를 누르면 이유가 보입니다.",
  noPages: "페이지가 없습니다.",
  outputs: "결과",
  page: "페이지",
  pageStyles: "페이지 스타일",
  path: "선택 경로",
  pathsKept: "유지된 블록의 경로",
  reason: "이유",
  score: "점수",
  search: "블록 검색",
  text: "본문",
  theme: "테마",
  themeDark: "어둡게",
  themeLight: "밝게",
  wordsKept: "단어 {count}개 중 {kept}개",
  wrong: "이 페이지를 보일 수 없습니다.",
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

/** Give every element with data-say its text, and those with data-label their name for screen readers. */
export function fillStrings(root) {
  root.documentElement.lang = LANGUAGE;
  for (const element of root.querySelectorAll("[data-say]")) element.textContent = say(element.dataset.say);
  for (const element of root.querySelectorAll("[data-label]")) {
    element.setAttribute("aria-label", say(element.dataset.label));
    if (element.matches("button, input, canvas")) element.title = say(element.dataset.label);
  }
}
