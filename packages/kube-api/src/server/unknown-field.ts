import { droppedFieldRemedy } from '@nodewright/apis';
import type { ApiObject } from '../storage/api-object.ts';

/** The message of a real server. For well-known fields of Karpenter proposals, it adds what to write instead. */
export function unknownField(path: string, object: ApiObject): string {
  const told = `unknown field ${JSON.stringify(path)}`;
  const isOurs = (object.apiVersion ?? '').startsWith('karpenter.');
  const remedy = isOurs && path.startsWith('spec.') ? droppedFieldRemedy(path, object) : undefined;
  return remedy === undefined ? told : `${told}, which ${remedy}`;
}
