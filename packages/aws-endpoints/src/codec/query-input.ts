import { writeOwn } from '@nodewright/apis';
import { numbered, type FormNode } from './form.ts';
import { lazily } from './lazily.ts';
import { scalarFromText } from './scalar.ts';
import { hasTrait, membersOf, textTrait, type Shape, type Structure } from './shape.ts';

/** The two dialects of form bodies: EC2 numbers every list directly and has names of its own. */
export type QueryDialect = 'awsQuery' | 'ec2Query';

/** Reads values of one shape from a form. Made once per shape, because reading traits costs more than reading forms. */
type FormReader = (form: FormNode) => unknown;

/** Reads a structure. Keys the model does not know are ignored, as AWS does. */
export function structureReader(shape: Shape, dialect: QueryDialect): (form: FormNode) => Structure {
  const members = new Map(
    [...membersOf(shape)].map(([name, member]) => [
      keyOf(name, member, dialect),
      { name, read: lazily(() => readerOf(member, dialect)) },
    ]),
  );
  return (form) => {
    const value: Record<string, unknown> = {};
    for (const [key, node] of form.children) {
      const member = members.get(key);
      if (member !== undefined) writeOwn(value, member.name, member.read()(node));
    }
    return value;
  };
}

function keyOf(name: string, member: Shape, dialect: QueryDialect): string {
  const xmlName = textTrait(member, 'xmlName') ?? name;
  if (dialect === 'awsQuery') return xmlName;
  return textTrait(member, 'ec2QueryName') ?? xmlName.charAt(0).toUpperCase() + xmlName.slice(1);
}

function readerOf(shape: Shape, dialect: QueryDialect): FormReader {
  if (shape.isListSchema()) return listReader(shape, dialect);
  if (shape.isMapSchema()) return mapReader(shape, dialect);
  if (shape.isStructSchema()) return structureReader(shape, dialect);
  return (node) => scalarFromText(shape, node.text ?? '');
}

function listReader(shape: Shape, dialect: QueryDialect): FormReader {
  const item = shape.getValueSchema();
  const read = readerOf(item, dialect);
  if (dialect === 'ec2Query' || hasTrait(shape, 'xmlFlattened')) return (node) => numbered(node).map(read);
  const step = textTrait(item, 'xmlName') ?? 'member';
  return (node) => numbered(node.children.get(step) ?? nothing).map(read);
}

function mapReader(shape: Shape, dialect: QueryDialect): FormReader {
  const flattened = hasTrait(shape, 'xmlFlattened');
  const item = shape.getValueSchema();
  const read = readerOf(item, dialect);
  const [key, value] = [textTrait(shape.getKeySchema(), 'xmlName') ?? 'key', textTrait(item, 'xmlName') ?? 'value'];
  return (node) => {
    const entries = numbered((flattened ? node : node.children.get('entry')) ?? nothing);
    return Object.fromEntries(
      entries.map(({ children }) => [children.get(key)?.text ?? '', read(children.get(value) ?? nothing)]),
    );
  };
}

const nothing: FormNode = { children: new Map() };
