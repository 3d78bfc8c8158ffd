import { byNumberOf } from '@nodewright/apis';
/** A form body as the tree its dotted keys spell: `Filter.1.Value.2=x`. */
export type FormNode = { readonly text?: string; readonly children: ReadonlyMap<string, FormNode> };

type Growing = { text?: string; readonly children: Map<string, Growing> };

export function parseForm(body: string): FormNode {
  const root: Growing = { children: new Map() };
  for (const [key, value] of new URLSearchParams(body)) growNode(root, key).text = value;
  return root;
}

function growNode(root: Growing, key: string): Growing {
  let at = root;
  for (const step of key.split('.')) {
    const next = at.children.get(step) ?? { children: new Map() };
    at.children.set(step, next);
    at = next;
  }
  return at;
}

/** The numbered children, in the order of their numbers. */
export const listNumberedNodes = (node: FormNode): readonly FormNode[] =>
  [...node.children]
    .filter(([step]) => /^\d+$/.test(step))
    .toSorted(byNumberOf(([index]) => Number(index)))
    .map(([, child]) => child);
