import { readOwn } from '@nodewright/apis';
import { groupResource, servedKinds } from '@nodewright/kube-api';

/** The custom kinds of the recordings. */
const custom: Readonly<Record<string, string>> = {
  Widget: 'widgets.golden.example.com',
  Multi: 'multis.golden.example.com',
  Rat: 'rats.golden.example.com',
  Plain: 'plains.golden.example.com',
};

/** Where objects of a recorded kind are stored; undefined for kinds that are never stored. */
export function collectionNamed(kind: string): string | undefined {
  if (kind === 'Event') return 'events';
  const served = servedKinds.find((candidate) => candidate.kind === kind && candidate.verbs.includes('list'));
  return served === undefined ? readOwn(custom, kind) : groupResource(served);
}
