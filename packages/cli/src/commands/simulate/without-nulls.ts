import { writeOwn } from '@nodewright/apis';

/** Data without fields that are null, as an API server reads it: such a field was left out. The data itself where none is. */
export function withoutNulls<T>(data: T): T {
  return cleaned(data) as T;
}

function cleaned(data: unknown): unknown {
  if (typeof data !== 'object' || data === null) return data;
  if (Array.isArray(data)) {
    const items = data.map(cleaned);
    return items.every((item, index) => item === data[index]) ? data : items;
  }
  let isWhole = true;
  const fields: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(data)) {
    const kept = value === null ? undefined : cleaned(value);
    isWhole &&= kept === value;
    if (kept !== undefined) writeOwn(fields, name, kept);
  }
  return isWhole ? data : fields;
}
