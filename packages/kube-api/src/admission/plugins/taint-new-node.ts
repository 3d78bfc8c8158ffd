import type { Taint } from '@nodewright/apis';
import type { ApiObject } from '../../storage/api-object.ts';
import type { WriteAttributes } from '../attributes.ts';

const notReadyTaint: Taint = { key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' };

/** Taints a new node as not ready. The node lifecycle controller removes the taint when the node is ready. */
export function taintNewNode({ object, operation }: WriteAttributes): ApiObject {
  if (operation !== 'CREATE') return object;
  const spec = (object['spec'] ?? {}) as { readonly taints?: readonly Taint[] };
  const taints = spec.taints ?? [];
  const isTainted = taints.some(({ key, effect }) => key === notReadyTaint.key && effect === notReadyTaint.effect);
  return isTainted ? object : { ...object, spec: { ...spec, taints: [...taints, notReadyTaint] } };
}
