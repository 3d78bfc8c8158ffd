import { groupResource } from '../resources/served-kind.ts';
import { servedKinds } from '../resources/served.generated.ts';

/** Where objects of a recorded kind are stored; undefined for kinds that are never stored. */
export function collectionNamed(kind: string): string | undefined {
  if (kind === 'Event') return 'events';
  const served = servedKinds.find((candidate) => candidate.kind === kind && candidate.verbs.includes('list'));
  return served && groupResource(served);
}
