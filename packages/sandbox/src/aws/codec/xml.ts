import { scalarToText } from './scalar.ts';
import { hasTrait, membersOf, textTrait, type Shape, type Structure } from './shape.ts';

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

export const escapeXml = (text: string): string => text.replace(/[&<>"]/g, (mark) => entities[mark] ?? mark);

export const element = (name: string, content: string): string => `<${name}>${content}</${name}>`;

/** The members of a structure that have a value, one element each. */
export function xmlMembers(shape: Shape, value: Structure): string {
  let xml = '';
  for (const [name, member] of membersOf(shape)) {
    const each = value[name];
    if (each !== undefined && each !== null) xml += xmlValue(textTrait(member, 'xmlName') ?? name, member, each);
  }
  return xml;
}

function xmlValue(name: string, shape: Shape, value: unknown): string {
  if (shape.isListSchema()) return xmlList(name, shape, value as readonly unknown[]);
  if (shape.isMapSchema()) return xmlMap(name, shape, value as Structure);
  if (shape.isStructSchema()) return element(name, xmlMembers(shape, value as Structure));
  return element(name, escapeXml(scalarToText(value)));
}

function xmlList(name: string, shape: Shape, values: readonly unknown[]): string {
  const item = shape.getValueSchema();
  if (hasTrait(shape, 'xmlFlattened')) return values.map((each) => xmlValue(name, item, each)).join('');
  const itemName = textTrait(item, 'xmlName') ?? 'member';
  return element(name, values.map((each) => xmlValue(itemName, item, each)).join(''));
}

function xmlMap(name: string, shape: Shape, values: Structure): string {
  const key = textTrait(shape.getKeySchema(), 'xmlName') ?? 'key';
  const item = shape.getValueSchema();
  const entries = Object.entries(values).map(
    ([each, value]) => element(key, escapeXml(each)) + xmlValue(textTrait(item, 'xmlName') ?? 'value', item, value),
  );
  if (hasTrait(shape, 'xmlFlattened')) return entries.map((entry) => element(name, entry)).join('');
  return element(name, entries.map((entry) => element('entry', entry)).join(''));
}
