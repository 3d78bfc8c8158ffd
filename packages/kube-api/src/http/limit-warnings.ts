/** Characters of all warnings together from which on each is cut, and how much of each is left then. */
const mostTogether = 4 * 1024;
const mostEach = 256;

/**
 * The warnings of one answer as an API server sends them: each once; when they are long together each is cut, and those
 * that have no room even so are left out.
 */
export function limitWarnings(warnings: readonly string[]): readonly string[] {
  const distinct = [...new Set(warnings)];
  if (lengthOf(distinct) <= mostTogether) return distinct;
  const sent: string[] = [];
  let length = 0;
  for (const text of distinct.map((each) => each.slice(0, mostEach))) {
    length += text.length;
    if (length > mostTogether) break;
    sent.push(text);
  }
  return sent;
}

/** The header of the warnings of one answer: a list of values. */
export const warningHeader = (warnings: readonly string[]): { readonly warning?: string } =>
  warnings.length === 0
    ? {}
    : {
        warning: limitWarnings(warnings)
          .map((text) => `299 - ${JSON.stringify(text)}`)
          .join(', '),
      };

const lengthOf = (texts: readonly string[]): number => texts.reduce((sum, text) => sum + text.length, 0);
