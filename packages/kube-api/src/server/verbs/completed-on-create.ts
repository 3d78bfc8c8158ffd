import { toTimestamp } from '@nodewright/apis';
import { withNewPodStatus } from '../../builtin/new-pod-status.ts';
import { withClusterAddress } from '../../builtin/service-defaults.ts';
import { jobSelector } from '../../builtin/workload-defaults.ts';
import { asJson, asApiObject } from '../../resources/rules.ts';
import type { Resource } from '../../resources/resource.ts';
import type { ApiObject } from '../../storage/api-object.ts';
import type { ServerContext } from '../world.ts';

/** Adds the fields that the server sets on new objects of some kinds after admission. No manager owns them. */
export function completedOnCreate(world: ServerContext, resource: Resource, object: ApiObject): ApiObject {
  switch (resource.collection) {
    case 'pods':
      return asApiObject(withNewPodStatus(asJson(object), toTimestamp(world.clock.now())));
    case 'services':
      return asApiObject(withClusterAddress(asJson(object), freeAddress(world)));
    case 'jobs.batch':
      return asApiObject(jobSelector(asJson(object), object.metadata.uid ?? ''));
    default:
      return object;
  }
}

/** The lowest free address of EKS's default service range. The cluster itself uses the first ones. */
function freeAddress({ store }: ServerContext): string {
  const services = store.collection('services').list() as readonly (ApiObject & {
    readonly spec?: { clusterIP?: string };
  })[];
  const taken = new Set(services.map(({ spec }) => spec?.clusterIP));
  for (let number = 11; ; number += 1) {
    const address = `10.100.${Math.floor(number / 256)}.${number % 256}`;
    if (!taken.has(address)) return address;
  }
}
