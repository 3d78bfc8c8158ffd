import { toTimestamp } from '@nodewright/apis';
import type { Verb } from '../../http/verb.ts';
import { methodNotAllowedError, notFoundError } from '../../http/status-error.ts';
import { fieldText } from '../../selectors/selectable-fields.ts';
import type { ApiObject } from '../../storage/api-object.ts';
import type { RequestOutcome } from '../outcome.ts';
import { readSelection } from '../verbs/selection.ts';
import type { ResourceCall, ServerContext } from '../world.ts';
import type { ResourceUsage } from '../../resources/resource-usage.ts';

/** Serves the use of nodes and pods as it is now. */
export function serveMetrics(world: ServerContext, call: ResourceCall, verb: Verb): RequestOutcome {
  const { resource, path } = call;
  const { usage } = world;
  if (usage === undefined) throw methodNotAllowedError();
  const measured = resource.plural === 'nodes' ? measuredNodes(world, usage) : measuredPods(world, call, usage);
  if (verb === 'get') {
    const found = measured.find(({ metadata }) => metadata.name === path.name);
    if (found === undefined) throw notFoundError(resource, path.name);
    return { kind: 'object', code: 200, object: found, resource };
  }
  const { selects } = readSelection(call);
  return { kind: 'list', objects: measured.filter(selects), metadata: { resourceVersion: '' }, resource };
}

/** Metrics are told of the last half minute. */
const window = '30s';

function measuredNodes({ store, clock }: ServerContext, usage: ResourceUsage): readonly ApiObject[] {
  const pods = store.collection('pods').list();
  return store
    .collection('nodes')
    .list()
    .flatMap((node) => {
      const own = pods.filter((pod) => fieldText(pod, 'spec.nodeName') === node.metadata.name);
      const amounts = usage.ofNode(node, own);
      if (amounts === undefined) return [];
      const timestamp = toTimestamp(clock.now());
      return [{ ...headOf('NodeMetrics', node, timestamp), timestamp, window, usage: amounts }];
    });
}

function measuredPods(
  { store, clock }: ServerContext,
  { path }: ResourceCall,
  usage: ResourceUsage,
): readonly ApiObject[] {
  const pods = store.collection('pods').list();
  return pods
    .filter(({ metadata }) => path.namespace === '' || metadata.namespace === path.namespace)
    .flatMap((pod) => {
      const containers = usage.ofPod(pod);
      if (containers === undefined) return [];
      const timestamp = toTimestamp(clock.now());
      return [{ ...headOf('PodMetrics', pod, timestamp), timestamp, window, containers }];
    });
}

const headOf = (kind: string, { metadata }: ApiObject, creationTimestamp: string): ApiObject => ({
  kind,
  apiVersion: 'metrics.k8s.io/v1beta1',
  metadata: {
    name: metadata.name,
    ...(metadata.namespace !== undefined && { namespace: metadata.namespace }),
    creationTimestamp,
    ...(metadata.labels && { labels: metadata.labels }),
  },
});
