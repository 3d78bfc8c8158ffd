import { toTimestamp } from '@nodewright/apis';
import { withNewPodStatus } from '../../builtin/new-pod-status.ts';
import { jobSelector } from '../../builtin/workload-defaults.ts';
import { asJson, asApiObject } from '../../resources/rules.ts';
import type { Resource } from '../../resources/resource.ts';
import type { ApiObject } from '../../storage/api-object.ts';
import type { ServerContext } from '../world.ts';
import { allocateService } from './service-allocation.ts';

/** Adds the fields that the server sets on new objects of some kinds after admission. No manager owns them. */
export function completedOnCreate(world: ServerContext, resource: Resource, object: ApiObject): ApiObject {
  switch (resource.collection) {
    case 'pods':
      return asApiObject(withNewPodStatus(asJson(object), toTimestamp(world.clock.now())));
    case 'services':
      return allocateService(world, object);
    case 'jobs.batch':
      return asApiObject(jobSelector(asJson(object), object.metadata.uid ?? ''));
    default:
      return object;
  }
}
