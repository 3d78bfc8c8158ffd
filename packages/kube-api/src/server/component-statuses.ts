import type { Verb } from '../http/verb.ts';
import { notFoundError } from '../http/status-error.ts';
import type { ApiObject } from '../storage/api-object.ts';
import type { RequestOutcome } from './outcome.ts';
import { readSelection } from './verbs/selection.ts';
import type { ResourceCall } from './world.ts';

const componentStatus = (name: string): ApiObject => ({
  kind: 'ComponentStatus',
  apiVersion: 'v1',
  metadata: { name },
  conditions: [{ type: 'Healthy', status: 'True', message: 'ok' }],
});

const components = ['controller-manager', 'etcd-0', 'scheduler'].map(componentStatus);

export const isComponentStatus = ({ resource }: ResourceCall): boolean => resource.collection === 'componentstatuses';

/** Serves the health of the control plane, which is always good. Nothing of it is stored. */
export function serveComponentStatus(call: ResourceCall, verb: Verb): RequestOutcome {
  const { resource, path, warnings } = call;
  warnings.push('v1 ComponentStatus is deprecated in v1.19+');
  if (verb === 'get') {
    const found = components.find(({ metadata }) => metadata.name === path.name);
    if (found === undefined) throw notFoundError(resource, path.name);
    return { kind: 'object', code: 200, object: found, resource };
  }
  const { selects } = readSelection(call);
  return { kind: 'list', objects: components.filter(selects), metadata: { resourceVersion: '' }, resource };
}
