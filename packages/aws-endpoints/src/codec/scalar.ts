import type { Shape } from './shape.ts';

/** Reads what a query string, a form or a path segment says about a scalar. */
export function scalarFromText(shape: Shape, text: string): unknown {
  if (shape.isBooleanSchema()) return text === 'true';
  if (shape.isNumericSchema()) return Number(text);
  if (shape.isTimestampSchema()) return dateFromText(text);
  if (shape.isBlobSchema()) return Buffer.from(text, 'base64');
  return text;
}

/** ISO 8601, or seconds since the epoch as some clients send them. */
const dateFromText = (text: string): Date => new Date(/^\d+(\.\d+)?$/.test(text) ? Number(text) * 1000 : text);

/** Writes a scalar as the XML protocols do: timestamps in ISO 8601, blobs in base64. */
export function scalarToText(value: unknown): string {
  if (value instanceof Date) return value.toISOString();
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
  return typeof value === 'string' ? value : JSON.stringify(value);
}
