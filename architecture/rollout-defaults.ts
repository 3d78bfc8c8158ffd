import type { rolloutDefaults, RolloutPresetName } from '@nodewright/apis';

type Wave = { readonly name: string; readonly nodes: string | number; readonly soak?: string };
type Step = { readonly after: string; readonly do: string };
type Value = string | number | boolean | readonly (string | Wave | Step)[];

/** The row of docs/rollouts.md for one field. */
export function printRolloutDefault(
  name: string,
  { values, reason }: (typeof rolloutDefaults)[keyof typeof rolloutDefaults],
): string {
  const cells = (['cautious', 'standard', 'fast'] as const).map((preset: RolloutPresetName) =>
    printValue(values[preset]),
  );
  return `| \`${name}\` | ${cells.join(' | ')} | ${reason} |`;
}

function printValue(value: Value): string {
  return Array.isArray(value) ? value.map(printItem).join(', ') : String(value);
}

function printItem(item: string | Wave | Step): string {
  if (typeof item === 'string') return item;
  if ('do' in item) return `${item.do} after ${item.after}`;
  return `${item.name} ${item.nodes}${item.soak === undefined ? '' : ` for ${item.soak}`}`;
}
