import {
  type AllocatedDevice,
  byTextOf,
  type Device,
  type DeviceClass,
  type DeviceConstraint,
  type DeviceRequest,
  type DeviceSelector,
  type ExactDeviceRequest,
  type Node,
  readOwn,
  type ResourceClaimSpec,
  type ResourceSlice,
} from '@nodewright/apis';
import { matchesTerm } from '../placement/node-selection.ts';
import type { SelectableDevice, SelectDevice } from '../placement/select-device.ts';

export type DeviceInventory = {
  readonly slices: readonly ResourceSlice[];
  readonly classOf: (name: string) => DeviceClass | undefined;
  readonly select: SelectDevice;
};

type OfferedDevice = SelectableDevice & { readonly pool: string; readonly name: string };

/** The identity of a device in the cluster. */
export const keyOfDevice = ({ driver, pool, device }: Omit<AllocatedDevice, 'request'>): string =>
  `${driver}/${pool}/${device}`;

/**
 * Free devices of a node for all requests of several claims.
 * @param taken the keys of allocated devices
 * @returns the devices of each claim, in its order; undefined when the node lacks some
 */
export function allocateDevices(
  claims: readonly ResourceClaimSpec[],
  node: Node,
  taken: ReadonlySet<string>,
  inventory: DeviceInventory,
): readonly (readonly AllocatedDevice[])[] | undefined {
  const offered = devicesOnNode(node, inventory.slices);
  const used = new Set(taken);
  const allocated: (readonly AllocatedDevice[])[] = [];
  for (const { devices = {} } of claims) {
    const found = allocateRequests(devices.requests ?? [], {
      constraints: devices.constraints ?? [],
      offered,
      used,
      inventory,
    });
    if (found === undefined) return undefined;
    for (const each of found) used.add(keyOfDevice(each));
    allocated.push(found);
  }
  return allocated;
}

function devicesOnNode(node: Node, slices: readonly ResourceSlice[]): readonly OfferedDevice[] {
  return slices
    .flatMap(({ spec }) => {
      const isHere = spec.perDeviceNodeSelection === true || isOnNode(spec, node);
      const devices = (spec.devices ?? []).filter(
        (device) => isHere && (spec.perDeviceNodeSelection !== true || isOnNode(device, node)),
      );
      return devices.map((device) => ({ ...device, driver: spec.driver, pool: spec.pool.name }));
    })
    .toSorted(byTextOf(({ driver, pool, name }) => `${driver}/${pool}/${name}`));
}

const isOnNode = (place: Pick<Device, 'nodeName' | 'allNodes' | 'nodeSelector'>, node: Node): boolean =>
  place.allNodes === true ||
  place.nodeName === node.metadata.name ||
  (place.nodeSelector?.nodeSelectorTerms.some((term) => matchesTerm(node, term)) ?? false);

type AllocationState = {
  readonly constraints: readonly DeviceConstraint[];
  readonly offered: readonly OfferedDevice[];
  readonly used: ReadonlySet<string>;
  readonly inventory: DeviceInventory;
};

type ChosenDevice = { readonly request: string; readonly device: OfferedDevice };

/** Tries the devices of each request in their order, and goes back where a later request finds none. */
function allocateRequests(
  requests: readonly DeviceRequest[],
  state: AllocationState,
): readonly AllocatedDevice[] | undefined {
  const chosen = chooseDevicesFor(requests.flatMap(wishesOf), [], state);
  return chosen?.map(({ request, device: { driver, pool, name: device } }) => ({ request, driver, pool, device }));
}

/** One request, or its alternatives, the preferred one first. */
type DeviceWish = readonly { readonly name: string; readonly request: ExactDeviceRequest }[];

const wishesOf = ({ name, exactly, firstAvailable = [] }: DeviceRequest): readonly DeviceWish[] =>
  exactly === undefined
    ? [firstAvailable.map((request) => ({ name: `${name}/${request.name}`, request }))]
    : [[{ name, request: exactly }]];

function chooseDevicesFor(
  wants: readonly DeviceWish[],
  chosen: readonly ChosenDevice[],
  state: AllocationState,
): readonly ChosenDevice[] | undefined {
  const [want, ...later] = wants;
  if (want === undefined) return chosen;
  for (const { name, request } of want) {
    for (const more of waysToServeRequest(name, request, chosen, state)) {
      const found = chooseDevicesFor(later, [...chosen, ...more], state);
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

function* waysToServeRequest(
  name: string,
  request: ExactDeviceRequest,
  chosen: readonly ChosenDevice[],
  state: AllocationState,
): Generator<readonly ChosenDevice[]> {
  const { offered, used, inventory } = state;
  const isFree = (device: OfferedDevice): boolean =>
    !used.has(keyOfOffered(device)) && !chosen.some((other) => other.device === device);
  const fitting = offered.filter((device) => isSelectedDevice(device, request, inventory));
  const free = fitting.filter(isFree).map((device): ChosenDevice => ({ request: name, device }));
  if (request.allocationMode === 'All') {
    if (free.length === fitting.length && free.length > 0 && areConstrained([...chosen, ...free], state)) yield free;
    return;
  }
  yield* deviceCombinations(free, request.count ?? 1, (some) => areConstrained([...chosen, ...some], state));
}

const keyOfOffered = ({ driver, pool, name }: OfferedDevice): string => keyOfDevice({ driver, pool, device: name });

/** All ways to take so many of them, in their order. */
function* deviceCombinations(
  from: readonly ChosenDevice[],
  count: number,
  isPossible: (some: readonly ChosenDevice[]) => boolean,
): Generator<readonly ChosenDevice[]> {
  if (count === 0) yield [];
  else if (from.length >= count) {
    for (const [index, first] of from.entries()) {
      if (!isPossible([first])) continue;
      for (const others of deviceCombinations(from.slice(index + 1), count - 1, (some) =>
        isPossible([first, ...some]),
      )) {
        yield [first, ...others];
      }
    }
  }
}

function isSelectedDevice(
  device: OfferedDevice,
  { deviceClassName, selectors = [] }: ExactDeviceRequest,
  { classOf, select }: DeviceInventory,
): boolean {
  const found = classOf(deviceClassName);
  const all: readonly DeviceSelector[] = [...(found?.spec?.selectors ?? []), ...selectors];
  return found !== undefined && all.every(({ cel }) => cel === undefined || select(cel.expression, device));
}

/** Whether the devices of the requests of a constraint have the same value of its attribute. */
function areConstrained(chosen: readonly ChosenDevice[], { constraints }: AllocationState): boolean {
  return constraints.every(({ requests = [], matchAttribute }) => {
    if (matchAttribute === undefined) return true;
    const concerned = chosen.filter(
      ({ request }) =>
        requests.length === 0 || requests.includes(request) || requests.includes(request.split('/')[0] ?? ''),
    );
    const values = concerned.map(({ device }) => attributeText(device, matchAttribute));
    return values.every((value) => value !== undefined && value === values[0]);
  });
}

function attributeText({ attributes, driver }: SelectableDevice, name: string): string | undefined {
  const local = name.startsWith(`${driver}/`) ? name.slice(driver.length + 1) : name;
  const found = readOwn(attributes, name) ?? readOwn(attributes, local);
  return found === undefined ? undefined : JSON.stringify(found);
}
