import { numbered, type FormNode } from './form.ts';
import { scalarFromText } from './scalar.ts';
import { hasTrait, membersOf, textTrait, type Shape, type Structure } from './shape.ts';

/** The two dialects of form bodies: EC2 numbers every list directly and has names of its own. */
export type QueryDialect = 'awsQuery' | 'ec2Query';

/** Reads an operation's input from a form. Keys the model does not know are ignored, as AWS does. */
export function queryInput(shape: Shape, form: FormNode, dialect: QueryDialect): Structure {
  const input: Record<string, unknown> = {};
  for (const [name, member] of membersOf(shape)) {
    const node = form.children.get(keyOf(name, member, dialect));
    if (node !== undefined) input[name] = valueOf(member, node, dialect);
  }
  return input;
}

function keyOf(name: string, member: Shape, dialect: QueryDialect): string {
  const xmlName = textTrait(member, 'xmlName') ?? name;
  if (dialect === 'awsQuery') return xmlName;
  return textTrait(member, 'ec2QueryName') ?? xmlName.charAt(0).toUpperCase() + xmlName.slice(1);
}

function valueOf(shape: Shape, node: FormNode, dialect: QueryDialect): unknown {
  if (shape.isListSchema()) {
    const item = shape.getValueSchema();
    return listItems(shape, item, node, dialect).map((each) => valueOf(item, each, dialect));
  }
  if (shape.isMapSchema()) return mapOf(shape, node, dialect);
  if (shape.isStructSchema()) return queryInput(shape, node, dialect);
  return scalarFromText(shape, node.text ?? '');
}

function listItems(list: Shape, item: Shape, node: FormNode, dialect: QueryDialect): readonly FormNode[] {
  if (dialect === 'ec2Query' || hasTrait(list, 'xmlFlattened')) return numbered(node);
  const wrapped = node.children.get(textTrait(item, 'xmlName') ?? 'member');
  return wrapped === undefined ? [] : numbered(wrapped);
}

function mapOf(shape: Shape, node: FormNode, dialect: QueryDialect): Structure {
  const entries = hasTrait(shape, 'xmlFlattened') ? node : node.children.get('entry');
  const value = shape.getValueSchema();
  return Object.fromEntries(
    (entries === undefined ? [] : numbered(entries)).map((entry) => [
      entry.children.get(textTrait(shape.getKeySchema(), 'xmlName') ?? 'key')?.text ?? '',
      valueOf(value, entry.children.get(textTrait(value, 'xmlName') ?? 'value') ?? { children: new Map() }, dialect),
    ]),
  );
}
