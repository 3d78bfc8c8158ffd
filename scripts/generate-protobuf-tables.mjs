#!/usr/bin/env node
// Turns the descriptors of the Kubernetes API's protobuf messages, which every kubectl binary carries, into a compact
// table of field numbers, names and types for the kinds whose types are built in.
//   node scripts/generate-protobuf-tables.mjs <kubectl binary>
import { readFileSync, writeFileSync } from 'node:fs';
import { inflateRawSync } from 'node:zlib';

const source = new URL('../packages/kube-api/src/schema/definitions.generated.ts', import.meta.url);
const target = new URL('../packages/kube-api/src/protobuf/messages.generated.ts', import.meta.url);

const [binary] = process.argv.slice(2);
if (binary === undefined) {
  console.error('usage: generate-protobuf-tables.mjs <kubectl binary>');
  process.exit(2);
}

/** The fields of one message as [number, wire type, value], a varint as a number and the rest as bytes. */
function* fieldsOf(bytes) {
  let at = 0;
  const varint = () => {
    let value = 0;
    for (let shift = 1; ; shift *= 128) {
      const byte = bytes[at++];
      value += (byte & 127) * shift;
      if (byte < 128) return value;
    }
  };
  while (at < bytes.length) {
    const tag = varint();
    const [number, wire] = [tag >>> 3, tag & 7];
    if (wire === 0) yield [number, varint()];
    else if (wire === 2) {
      const length = varint();
      yield [number, bytes.subarray(at, (at += length))];
    } else throw new Error(`unexpected wire type ${wire}`);
  }
}

const all = (bytes, wanted) => [...fieldsOf(bytes)].filter(([number]) => number === wanted).map(([, value]) => value);
const first = (bytes, wanted) => all(bytes, wanted)[0];
const textOf = (bytes, wanted) => first(bytes, wanted)?.toString('utf8') ?? '';

/** Descriptors lie in the binary as gzip members without a name or a time. */
function* descriptorsIn(content) {
  const magic = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0]);
  for (let at = content.indexOf(magic); at !== -1; at = content.indexOf(magic, at + 1)) {
    const file = inflated(content.subarray(at + 10, at + 400_000));
    if (file !== undefined && file[0] === 0x0a && textOf(file.subarray(0, 2 + file[1]), 1).startsWith('k8s.io/'))
      yield file;
  }
}

function inflated(bytes) {
  try {
    return inflateRawSync(bytes);
  } catch {
    return undefined;
  }
}

const repeated = 3;
const scalars = { 1: 'double', 3: 'int', 5: 'int', 8: 'bool', 9: 'text', 12: 'bytes' };

const messages = new Map();
const mapEntries = new Map();

for (const file of descriptorsIn(readFileSync(binary))) {
  const scope = textOf(file, 2);
  for (const message of all(file, 4)) addMessage(message, scope);
}

function addMessage(message, scope) {
  const name = `${scope}.${textOf(message, 1)}`;
  for (const nested of all(message, 3)) {
    const [key, value] = all(nested, 2);
    if (key !== undefined && value !== undefined) mapEntries.set(`${name}.${textOf(nested, 1)}`, typeOf(value));
  }
  messages.set(
    name,
    all(message, 2).map((field) => ({
      number: first(field, 3),
      name: textOf(field, 1),
      type: typeOf(field),
      isRepeated: first(field, 4) === repeated,
    })),
  );
}

function typeOf(field) {
  const type = first(field, 5);
  return type === 11 ? textOf(field, 6).slice(1) : (scalars[type] ?? 'text');
}

const literal = /definitionsJson =\s*'(.*)';/s.exec(readFileSync(source, 'utf8'))[1];
const definitions = JSON.parse(literal.replaceAll("\\'", "'").replaceAll('\\\\', '\\'));
const definitionOf = (message) => definitions[`io.${message.replaceAll('k8s.io.', 'k8s.')}`];

/** A member that the JSON form does not have is written into its parent. */
const isInline = (message, field) =>
  field.type.includes('.') &&
  definitionOf(message)?.properties !== undefined &&
  !(field.name in definitionOf(message).properties);

const reached = new Map();

function visit(message) {
  if (reached.has(message) || !messages.has(message)) return;
  reached.set(message, []);
  reached.set(
    message,
    messages.get(message).map((field) => {
      const value = mapEntries.get(field.type);
      const type = value ?? field.type;
      visit(type);
      const shape = value !== undefined ? 'map' : field.isRepeated ? 'list' : isInline(message, field) ? 'inline' : '';
      return [field.number, field.name, type, ...(shape === '' ? [] : [shape])];
    }),
  );
}

const kinds = {};
for (const [name, definition] of Object.entries(definitions)) {
  const message = name.replace(/^io\./, '').replace(/^k8s\./, 'k8s.io.');
  for (const { group, version, kind } of definition['x-kubernetes-group-version-kind'] ?? []) {
    if (!messages.has(message) || kinds[`${group}/${version}/${kind}`] !== undefined) continue;
    if (kind === 'DeleteOptions' && group !== '') continue;
    kinds[`${group}/${version}/${kind}`] = message;
    visit(message);
  }
}

const json = JSON.stringify({
  kinds,
  messages: Object.fromEntries([...reached].toSorted(([a], [b]) => (a < b ? -1 : 1))),
});
const short = json.replaceAll('"k8s.io.apimachinery.pkg.', '"m.').replaceAll('"k8s.io.api.', '"a.');
writeFileSync(
  target,
  [
    '// Generated by scripts/generate-protobuf-tables.mjs from the descriptors of the Kubernetes API.',
    '// Apache License 2.0, The Kubernetes Authors.',
    `export const messagesJson =\n  '${short.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}';`,
    '',
  ].join('\n'),
);
console.log(`${Object.keys(kinds).length} kinds, ${reached.size} messages, ${short.length} bytes`);
