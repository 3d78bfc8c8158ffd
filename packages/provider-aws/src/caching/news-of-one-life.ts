import type { AnswerNews } from './freshness.ts';

/** News whose handlers can be taken back. */
type RevocableNews = Omit<AnswerNews, 'onChange'> & { onChange(handler: () => void): () => void };

/**
 * The news of an account for one operator, which ends before the account does. The account keeps its handlers, and
 * through them all that it has found out, until `end`.
 */
export function newsOfOneLife(news: RevocableNews): { readonly news: AnswerNews; end(): void } {
  const revocations: (() => void)[] = [];
  return {
    news: {
      nextChange: (since) => news.nextChange(since),
      isSteady: () => news.isSteady(),
      onChange: (handler) => void revocations.push(news.onChange(handler)),
    },
    end: () => revocations.splice(0).forEach((revoke) => revoke()),
  };
}
