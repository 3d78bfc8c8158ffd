/** One token of a label selector; `end` closes the list. */
export type Token =
  | { readonly kind: 'symbol'; readonly text: '(' | ')' | ',' | '!' | '=' | '==' | '!=' | '>' | '<' | 'in' | 'notin' }
  | { readonly kind: 'word'; readonly text: string }
  | { readonly kind: 'end'; readonly text: '' };

const pattern = /\s*(==|!=|[(),!=<>]|[^\s(),!=<>]+)/gy;
const symbols: ReadonlySet<string> = new Set(['(', ')', ',', '!', '=', '==', '!=', '>', '<', 'in', 'notin']);

export const tokensOf = (text: string): readonly Token[] => [
  ...[...text.matchAll(pattern)].map(([, token = '']) => tokenOf(token)),
  { kind: 'end', text: '' },
];

const tokenOf = (text: string): Token => ({ kind: symbols.has(text) ? 'symbol' : 'word', text }) as Token;
