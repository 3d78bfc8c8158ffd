import type { History } from './history.ts';

/** The text of a file that holds a history. */
export const printHistory = (history: History): string => `${JSON.stringify(history, null, 2)}\n`;

/** @throws Error when the text holds no history */
export function parseHistory(text: string): History {
  const value: unknown = JSON.parse(text);
  const has = (field: string): boolean => typeof value === 'object' && value !== null && field in value;
  const missing = ['seed', 'cluster', 'steps', 'minutes'].filter((field) => !has(field));
  if (missing.length > 0) throw new Error(`this is no history: it lacks ${missing.join(', ')}`);
  return value as History;
}
