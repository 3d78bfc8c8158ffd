import { toTimestamp } from '@nodewright/apis';
import { admitPod, type PodAdmission } from '../../builtin/admit-pod.ts';
import { withClusterAddress } from '../../builtin/service-defaults.ts';
import { jobSelector } from '../../builtin/workload-defaults.ts';
import { asJson, asApiObject } from '../../resources/rules.ts';
import type { Resource } from '../../resources/resource.ts';
import type { ApiObject } from '../../storage/api-object.ts';
import type { ServerContext } from '../world.ts';

/**
 * Adds the fields that admission sets on new objects of some kinds. No manager owns them, so this runs after ownership
 * is recorded.
 */
export function admittedOnCreate(world: ServerContext, resource: Resource, object: ApiObject): ApiObject {
  switch (resource.collection) {
    case 'pods':
      return asApiObject(admitPod(asJson(object), podAdmission(world, object)));
    case 'services':
      return asApiObject(withClusterAddress(asJson(object), freeAddress(world)));
    case 'jobs.batch':
      return asApiObject(jobSelector(asJson(object), object.metadata.uid ?? ''));
    default:
      return object;
  }
}

type PriorityClass = { readonly value?: number; readonly preemptionPolicy?: string; readonly globalDefault?: boolean };

function podAdmission({ store, clock }: ServerContext, pod: ApiObject): PodAdmission {
  const { priorityClassName = '' } = (pod['spec'] ?? {}) as { readonly priorityClassName?: string };
  const classes = store.collection('priorityclasses.scheduling.k8s.io').list() as readonly (ApiObject &
    PriorityClass)[];
  const isMeant = ({ metadata, globalDefault }: ApiObject & PriorityClass): boolean =>
    priorityClassName === '' ? globalDefault === true : metadata.name === priorityClassName;
  const found = classes.find(isMeant);
  return {
    now: toTimestamp(clock.now()),
    ...(found?.value !== undefined && { priority: found.value }),
    ...(found?.preemptionPolicy !== undefined && { preemptionPolicy: found.preemptionPolicy }),
  };
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
