import type { FieldReader } from './field-reader.ts';
import type { NodeChoice } from './scenario-file.ts';

export const nodeChoiceFields = ['nodes', 'node', 'pool', 'zone', 'release'] as const;

/** Which nodes a step is about: the name of one, or how many of those that fit; all of them without a number. */
export function readNodeChoice(field: FieldReader): NodeChoice | undefined {
  if (field.isText) return { name: field.text() ?? '' };
  const fields = field.fields(nodeChoiceFields, 'write the name of a node, or an object');
  if (fields === undefined) return undefined;
  const count = fields.nodes.isMissing ? undefined : fields.nodes.count();
  const name = fields.node.optionalText();
  const pool = fields.pool.optionalText();
  const zone = fields.zone.optionalZone();
  const release = fields.release.optionalText();
  if (Object.values({ count, name, pool, zone, release }).every((value) => value === undefined))
    return field.hasMisspelt
      ? undefined
      : field.refuse('chooses no node; write nodes: 3, or pool, zone, release or node');
  return {
    ...(count !== undefined && { count }),
    ...(name !== undefined && { name }),
    ...(pool !== undefined && { pool }),
    ...(zone !== undefined && { zone }),
    ...(release !== undefined && { release }),
  };
}
