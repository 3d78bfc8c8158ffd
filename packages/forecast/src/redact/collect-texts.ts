import type { TextRewriter } from './rewrite-texts.ts';

/** Every text that is rewritten, as it was. */
export type CollectedTexts = {
  readonly references: ReadonlySet<string>;
  /** Those of `references` that are names. */
  readonly names: ReadonlySet<string>;
  readonly opaque: ReadonlySet<string>;
};

const fieldsOfNames = new Set(['name', 'namespace', 'nodeName', 'privateDnsName', 'clusterName']);

/** What a walk would rewrite. */
export function collectTexts(walk: (rewriter: TextRewriter) => unknown): CollectedTexts {
  const references = new Set<string>();
  const names = new Set<string>();
  const opaque = new Set<string>();
  walk({
    words: (text, field) => {
      references.add(text);
      if (fieldsOfNames.has(field)) names.add(text);
      return text;
    },
    opaque: (text) => {
      opaque.add(text);
      return text;
    },
  });
  return { references, names, opaque };
}
