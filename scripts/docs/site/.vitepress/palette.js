// A theme for code whose colors stand for classes; `theme/site.css` gives them their colors in light and dark.

const SCOPES = {
  comment: ['comment', 'punctuation.definition.comment'],
  string: ['string', 'constant.other.symbol', 'punctuation.definition.string'],
  number: ['constant.numeric', 'constant.language', 'constant.character.escape'],
  keyword: ['keyword', 'storage', 'support.type.property-name.css', 'variable.language'],
  name: ['entity.name', 'support.function', 'entity.other.attribute-name', 'support.type.property-name'],
};

const entries = Object.keys(SCOPES).map((name, index) => [`#00000${index + 1}`, name]);

export const namesOfColors = new Map(entries);

export const palette = {
  name: 'rowhouse',
  type: 'light',
  fg: '#000000',
  bg: '#ffffff',
  settings: [
    { settings: { foreground: '#000000', background: '#ffffff' } },
    ...entries.map(([foreground, name]) => ({ scope: SCOPES[name], settings: { foreground } })),
  ],
};
