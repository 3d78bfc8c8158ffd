import { readOwn } from '@nodewright/apis';
import { lazily } from './lazily.ts';
import { scalarToText } from './scalar.ts';
import { hasTrait, membersOf, textTrait, type Shape, type Structure } from './shape.ts';

/** Writes values of one shape. Made once per shape, because reading traits costs more than writing. */
export type XmlWriter = (value: unknown) => string;

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

export const escapeXml = (text: string): string =>
  /[&<>"]/.test(text) ? text.replace(/[&<>"]/g, (mark) => readOwn(entities, mark) ?? mark) : text;

export const element = (name: string, content: string): string => `<${name}>${content}</${name}>`;

/** Writes the members of a structure that have a value, one element each. */
export function membersWriter(shape: Shape): XmlWriter {
  const members = [...membersOf(shape)].map(([name, member]) => ({
    name,
    write: elementWriter(textTrait(member, 'xmlName') ?? name, member),
  }));
  return (value) => {
    let xml = '';
    for (const { name, write } of members) {
      const each = readOwn(value as Structure, name);
      if (each !== undefined && each !== null) xml += write(each);
    }
    return xml;
  };
}

/** Writes a value as an element of the name; a flattened list or map as several. */
function elementWriter(name: string, shape: Shape): XmlWriter {
  if (shape.isListSchema()) return listWriter(name, shape);
  if (shape.isMapSchema()) return mapWriter(name, shape);
  if (shape.isStructSchema()) {
    const members = lazily(() => membersWriter(shape));
    return (value) => element(name, members()(value));
  }
  return (value) => element(name, escapeXml(scalarToText(value)));
}

function listWriter(name: string, shape: Shape): XmlWriter {
  const item = shape.getValueSchema();
  const flattened = hasTrait(shape, 'xmlFlattened');
  const write = elementWriter(flattened ? name : (textTrait(item, 'xmlName') ?? 'member'), item);
  const items = (values: unknown): string => (values as readonly unknown[]).map(write).join('');
  return flattened ? items : (values) => element(name, items(values));
}

function mapWriter(name: string, shape: Shape): XmlWriter {
  const key = textTrait(shape.getKeySchema(), 'xmlName') ?? 'key';
  const item = shape.getValueSchema();
  const write = elementWriter(textTrait(item, 'xmlName') ?? 'value', item);
  const flattened = hasTrait(shape, 'xmlFlattened');
  const entries = (values: unknown): string =>
    Object.entries(values as Structure)
      .map(([each, value]) => element(flattened ? name : 'entry', element(key, escapeXml(each)) + write(value)))
      .join('');
  return flattened ? entries : (values) => element(name, entries(values));
}
