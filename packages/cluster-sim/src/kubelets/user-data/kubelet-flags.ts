import type { Taint, TaintEffect } from '@nodewright/apis';
import type { Bootstrap } from './bootstrap.ts';

/** What the flags of a kubelet say, `--node-labels="a=b" --max-pods=17`; flags we have no use for are passed over. */
export function readKubeletFlags(words: readonly string[]): Partial<Bootstrap> {
  const flags = flagValues(words);
  const maxPods = flags.get('max-pods');
  const podsPerCore = flags.get('pods-per-core');
  return {
    labels: assignments(flags.get('node-labels'), '='),
    taints: taintsOfFlag(flags.get('register-with-taints')),
    ...(maxPods === undefined ? {} : { maxPods: Number(maxPods) }),
    ...(podsPerCore === undefined ? {} : { podsPerCore: Number(podsPerCore) }),
    kubeReserved: assignments(flags.get('kube-reserved'), '='),
    systemReserved: assignments(flags.get('system-reserved'), '='),
    evictionHard: assignments(flags.get('eviction-hard'), '<'),
  };
}

/** Splits a command line as a shell does, as far as quotes go. */
export function shellWords(line: string): readonly string[] {
  const words = line.match(/(?:"(?:\\.|[^"])*"|'[^']*'|\\.|[^\s"'\\])+/g) ?? [];
  return words.map((word) => word.replace(/"((?:\\.|[^"])*)"|'([^']*)'/g, (_, double, single) => double ?? single));
}

function flagValues(words: readonly string[]): ReadonlyMap<string, string> {
  const flags = words.flatMap((word, index): [string, string][] => {
    if (!word.startsWith('--')) return [];
    const [name = '', ...value] = word.slice(2).split('=');
    return [[name, value.length === 0 ? (words[index + 1] ?? '') : value.join('=')]];
  });
  return new Map(flags);
}

function assignments(list: string | undefined, sign: '=' | '<'): Readonly<Record<string, string>> {
  const pairs = (list ?? '').split(',').filter((item) => item.includes(sign));
  return Object.fromEntries(pairs.map((pair) => splitAt(pair, pair.indexOf(sign))));
}

function taintsOfFlag(list: string | undefined): readonly Taint[] {
  return (list ?? '').split(',').filter(Boolean).map(taintOf);
}

/** `key=value:effect`, or `key:effect` when the value is empty. */
function taintOf(text: string): Taint {
  const [keyAndValue, effect] = splitAt(text, text.lastIndexOf(':'));
  const [key = '', value = ''] = keyAndValue.split('=');
  return { key, ...(value === '' ? {} : { value }), effect: effect as TaintEffect };
}

const splitAt = (text: string, index: number): [string, string] => [text.slice(0, index), text.slice(index + 1)];
