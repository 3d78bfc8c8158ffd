import type { History } from './history.ts';

/** The text of a file that holds a history. */
export const formatHistory = (history: History): string => `${JSON.stringify(history, null, 2)}\n`;

/** @throws Error when the text holds no history */
export function readHistory(text: string): History {
  const value: unknown = JSON.parse(text);
  const fields = typeof value === 'object' && value !== null ? Object.keys(value) : [];
  const missing = ['seed', 'cluster', 'steps', 'minutes'].filter((field) => !fields.includes(field));
  if (missing.length > 0) throw new Error(`this is no history: it lacks ${missing.join(', ')}`);
  return value as History;
}
