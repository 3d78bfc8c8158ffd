import { normalizedLabels } from '@nodewright/apis';

/** The key that a requirement on `key` is kept under: old and vendor spellings become the current one. */
export const normaliseKey = (key: string): string => normalizedLabels.get(key) ?? key;
