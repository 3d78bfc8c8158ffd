import type { rolloutDefaults } from '@nodewright/apis';

type Wave = { readonly name: string; readonly nodes: string | number; readonly soak?: string };
type Step = { readonly after: string; readonly do: string };
type Value = string | number | boolean | readonly (string | Wave | Step)[];

const presets = ['cautious', 'standard', 'fast'] as const;

/** What docs/rollouts.md says of one field: its default in each preset, and the reason. */
export function printRolloutDefault(
  name: string,
  { values, reason }: (typeof rolloutDefaults)[keyof typeof rolloutDefaults],
): string {
  const printed = presets.map((preset) => printValue(values[preset]));
  const isSame = new Set(printed).size === 1;
  const choice = isSame ? printed[0] : presets.map((preset, index) => `${preset}: ${printed[index]}`).join('; ');
  return `- \`${name}\`: ${choice}. ${reason}`;
}

function printValue(value: Value): string {
  return typeof value === 'object' ? value.map(printItem).join(', ') : String(value);
}

function printItem(item: string | Wave | Step): string {
  if (typeof item === 'string') return item;
  if ('do' in item) return `${item.do} after ${item.after}`;
  return `${item.name} ${item.nodes}${item.soak === undefined ? '' : ` for ${item.soak}`}`;
}
