/** One token of a label selector; `end` closes the list. */
export type SelectorToken =
  | { readonly kind: 'symbol'; readonly text: '(' | ')' | ',' | '!' | '=' | '==' | '!=' | '>' | '<' | 'in' | 'notin' }
  | { readonly kind: 'word'; readonly text: string }
  | { readonly kind: 'end'; readonly text: '' };

const selectorTokenPattern = /\s*(==|!=|[(),!=<>]|[^\s(),!=<>]+)/gy;
const symbols: ReadonlySet<string> = new Set(['(', ')', ',', '!', '=', '==', '!=', '>', '<', 'in', 'notin']);

export const splitSelectorTokens = (text: string): readonly SelectorToken[] => [
  ...[...text.matchAll(selectorTokenPattern)].map(([, token = '']) => toSelectorToken(token)),
  { kind: 'end', text: '' },
];

const toSelectorToken = (text: string): SelectorToken =>
  ({ kind: symbols.has(text) ? 'symbol' : 'word', text }) as SelectorToken;
