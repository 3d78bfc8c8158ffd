/** The first texts, and how many more there are. */
export const firstTexts = (texts: readonly string[], { most = 3, separator = ',' } = {}): string =>
  texts.length <= most
    ? texts.join(separator)
    : `${texts.slice(0, most).join(separator)} + ${texts.length - most} more...`;
