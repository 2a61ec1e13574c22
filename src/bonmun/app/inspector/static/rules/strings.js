// Texts of rules by clicking, by language.

export const ENGLISH = {
  ruleMake: "For all pages of this site:",
  ruleDrop: "Always drop this here", ruleKeep: "Always keep this here",
  ruleTitle: "This is the title", ruleAuthors: "This is the author", ruleDate: "This is the date",
  ruleDropShort: "Always drop this here", ruleKeepShort: "Always keep this here", ruleTitleShort: "This is the title", ruleAuthorsShort: "author", ruleDateShort: "date",
  ruleDropOn: "Always drop this on {host}", ruleKeepOn: "Always keep this on {host}",
  ruleTitleOn: "The title on {host}", ruleAuthorsOn: "The author on {host}", ruleDateOn: "The date on {host}",
  ruleLoading: "Looking for a selector …", ruleMeasuring: "Trying it on the open pages of the site …",
  ruleElement: "Element", ruleSelector: "Selector", ruleOthers: "Others that select it",
  ruleFound: "Found", ruleLost: "Words lost", ruleGained: "Words gained", ruleBefore: "Before", ruleAfter: "After",
  ruleEffect: "Effect on each open page of the site",
  ruleIn: "The rule, in {file}", ruleInNew: "The rule, in the new file {file}",
  ruleSave: "Save the rule", ruleCancel: "Cancel", ruleNothing: "The selector finds nothing on this page.",
  ruleSaved: "Rule saved in {file}", ruleUndo: "Undo", ruleUndone: "The rule was undone.",
  keyRule: "always drop the block on this site",
};

export const KOREAN = {
  ruleMake: "이 사이트의 모든 페이지:",
  ruleDrop: "여기서 항상 제외", ruleKeep: "여기서 항상 유지",
  ruleTitle: "이것이 제목", ruleAuthors: "이것이 작성자", ruleDate: "이것이 날짜",
  ruleDropShort: "여기서 항상 제외", ruleKeepShort: "여기서 항상 유지", ruleTitleShort: "이것이 제목", ruleAuthorsShort: "작성자", ruleDateShort: "날짜",
  ruleDropOn: "{host}에서 항상 제외", ruleKeepOn: "{host}에서 항상 유지",
  ruleTitleOn: "{host}의 제목", ruleAuthorsOn: "{host}의 작성자", ruleDateOn: "{host}의 날짜",
  ruleLoading: "선택자를 찾는 중 …", ruleMeasuring: "사이트의 열린 페이지에서 시험하는 중 …",
  ruleElement: "요소", ruleSelector: "선택자", ruleOthers: "다른 선택자",
  ruleFound: "찾음", ruleLost: "빠진 단어", ruleGained: "더해진 단어", ruleBefore: "이전", ruleAfter: "이후",
  ruleEffect: "사이트의 열린 페이지별 결과",
  ruleIn: "{file}에 저장될 규칙", ruleInNew: "새 파일 {file}에 저장될 규칙",
  ruleSave: "규칙 저장", ruleCancel: "취소", ruleNothing: "이 페이지에서 선택자가 아무것도 찾지 못합니다.",
  ruleSaved: "{file}에 규칙을 저장했습니다", ruleUndo: "실행 취소", ruleUndone: "규칙을 취소했습니다.",
  keyRule: "이 사이트에서 블록을 항상 제외",
};
