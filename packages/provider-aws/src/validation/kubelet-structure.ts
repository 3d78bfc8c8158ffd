import { readOwn } from '@nodewright/apis';
import { type FieldType, kubeletFields } from './kubelet-fields.ts';

type ObjectMembers = Readonly<Record<string, unknown>>;
type StructureProblem = { readonly kind: 'type' | 'name'; readonly text: string };

const kubeletFieldPath = 'spec.kubelet';

/**
 * What a kubelet could not read of `spec.kubelet`, at any depth: the first value of a wrong type, alone, else every
 * member that it does not know. A text for `maxPods` is left alone: it may be an expression.
 */
export function listUnreadableFields(kubelet: ObjectMembers): readonly string[] {
  const { maxPods, ...others } = kubelet;
  const found = [
    ...(typeof maxPods === 'string'
      ? []
      : checkStructure(kubeletFieldPath, { ...(maxPods !== undefined && { maxPods }) }, top)),
    ...checkStructure(kubeletFieldPath, others, top),
  ];
  const wrong = found.find(({ kind }) => kind === 'type');
  return wrong === undefined ? found.map(({ text }) => text) : [wrong.text];
}

const top: FieldType = { members: kubeletFields };

function checkStructure(where: string, value: unknown, type: FieldType): readonly StructureProblem[] {
  if (value === null || value === undefined) return [];
  if (typeof type === 'string') return holdsType[type](value) ? [] : [wrongTypeProblem(where, value, words[type])];
  if ('listOf' in type) {
    if (!Array.isArray(value)) return [wrongTypeProblem(where, value, 'a list')];
    return value.flatMap((item, index) => checkStructure(`${where}[${index}]`, item, type.listOf));
  }
  if (!isMembers(value)) return [wrongTypeProblem(where, value, 'an object')];
  if ('mapOf' in type)
    return Object.entries(value).flatMap(([name, inner]) => checkStructure(`${where}[${name}]`, inner, type.mapOf));
  return Object.entries(value).flatMap(([name, inner]) => {
    const known = readOwn(type.members, name);
    return known === undefined
      ? [unknown(where, name, type.members)]
      : checkStructure(`${where}.${name}`, inner, known);
  });
}

const isMembers = (value: unknown): value is ObjectMembers => typeof value === 'object' && !Array.isArray(value);

type Scalar = Extract<FieldType, string>;

const words: Readonly<Record<Scalar, string>> = {
  text: 'a text',
  boolean: 'true or false',
  integer: 'a whole number',
  number: 'a number',
  duration: 'a duration such as 1m30s',
};

const isDurationText = (value: unknown): boolean =>
  typeof value === 'string' && /^[+-]?(0|((\d+(\.\d*)?|\.\d+)(ns|us|µs|ms|s|m|h))+)$/.test(value);

const holdsType: Readonly<Record<Scalar, (value: unknown) => boolean>> = {
  text: (value) => typeof value === 'string',
  boolean: (value) => typeof value === 'boolean',
  integer: Number.isInteger,
  number: (value) => typeof value === 'number',
  duration: isDurationText,
};

const wrongTypeProblem = (where: string, value: unknown, right: string): StructureProblem => ({
  kind: 'type',
  text: `${where} is ${JSON.stringify(value)}, wanted ${right}`,
});

function unknown(where: string, name: string, members: Readonly<Record<string, FieldType>>): StructureProblem {
  const alike = Object.keys(members).find((known) => known.toLowerCase() === name.toLowerCase());
  const remedy = alike === undefined ? 'take it out' : `did you mean ${alike}?`;
  return { kind: 'name', text: `${where}.${name} is no field of a KubeletConfiguration; ${remedy}` };
}
