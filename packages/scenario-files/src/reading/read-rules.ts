import { isAge, parseAge } from '@nodewright/apis';
import type { FieldReader } from './field-reader.ts';
import type { AlwaysRule, NeverRule } from './scenario-file.ts';

/** What holds after every change: conditions, or objects with `expect` and `because`. */
export const readAlways = (field: FieldReader): readonly AlwaysRule[] =>
  field.items('write a list of conditions').flatMap((each) => readAlwaysRule(each) ?? []);

function readAlwaysRule(field: FieldReader): AlwaysRule | undefined {
  if (!field.isObject) {
    const condition = field.condition();
    return condition && { condition };
  }
  const fields = field.fields(['expect', 'because']);
  const condition = fields?.expect.condition();
  const because = fields?.because.optionalText();
  return condition && { condition, ...(because !== undefined && { because }) };
}

/** What never comes true: `unschedulable for 10m`, `nodes > 40`, or any condition, with `for` or without. */
export const readNever = (field: FieldReader): readonly NeverRule[] =>
  field.items('write a list').flatMap((each) => readNeverRule(each) ?? []);

const countedLists = ['nodes', 'pods', 'claims', 'evictions', 'instances', 'rollouts'];

function readNeverRule(field: FieldReader): NeverRule | undefined {
  const text = field.text('write a condition such as nodes > 40 or unschedulable for 10m');
  if (text === undefined) return undefined;
  const [, left = text, length] = /^(.*\S)\s+for(?:\s+([^"')]*))?$/s.exec(text) ?? [];
  const isTimed = left !== text;
  if (isTimed && !(length !== undefined && isAge(length)))
    return field.want(`write a duration such as 10m behind for, not "${length ?? ''}"`);
  const isPerPod = left === 'unschedulable';
  const condition = field.conditionOf(isPerPod ? 'pods.exists(p, p.unschedulable)' : expandCount(left));
  if (condition === undefined) return undefined;
  return { text, place: field.place, condition, isPerPod, forMs: length === undefined ? 0 : parseAge(length) };
}

/** `nodes > 40` counts the nodes. */
function expandCount(text: string): string {
  const [, list = '', rest = ''] = /^(\w+)(\s*(?:>=|<=|==|!=|>|<)\s*\d+)$/.exec(text) ?? [];
  return countedLists.includes(list) ? `${list}.size()${rest}` : text;
}
