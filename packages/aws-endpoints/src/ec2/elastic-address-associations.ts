import type { AssociateAddressRequest, AssociateAddressResult, DisassociateAddressRequest } from '@aws-sdk/client-ec2';
import { AwsError } from '../codec/aws-error.ts';
import { changeRouting, createNotFoundError, noSuchAllocation } from './change-routing.ts';
import { dryRunWouldSucceed, invalidValue, noSuchInstances } from './errors.ts';
import type { Ec2Instance } from './instance.ts';
import type { Ec2 } from './model.ts';
import { isHolding } from './nat-gateways.ts';
import { readRouting } from './read-routing.ts';
import { type ElasticAddress, putById } from './routing.ts';

/** An address with the instance that has it now. An instance that ends gives it back. */
export type AssociatedAddress = ElasticAddress & { readonly associationId: string; readonly instance: Ec2Instance };

/** Returns an address as associated, if an instance has it. */
export function findAssociation(ec2: Ec2, address: ElasticAddress): AssociatedAddress | undefined {
  const { association } = address;
  const instance = association && ec2.instances.get(association.instanceId);
  if (association === undefined || instance === undefined || instance.state === 'terminated') return undefined;
  return { ...address, associationId: association.id, instance };
}

/** The elastic address that an instance has. */
export const addressOfInstance = (ec2: Ec2, instanceId: string): AssociatedAddress | undefined => {
  const address = ec2.network.routing?.addresses.find(({ association }) => association?.instanceId === instanceId);
  return address && findAssociation(ec2, address);
};

/** Gives an address to the primary interface of an instance, in the place of the one that it has. */
export function associateAddress(ec2: Ec2, request: AssociateAddressRequest): AssociateAddressResult {
  const { AllowReassociation: mayMove } = request;
  const address = findAddress(ec2, request);
  const instance = findAddressee(ec2, request);
  if (request.PrivateIpAddress !== undefined && request.PrivateIpAddress !== instance.privateIp)
    throw invalidValue(
      `Private IP address ${request.PrivateIpAddress} is not assigned to interface ${instance.networkInterfaceId}.`,
    );
  const holder = findAssociation(ec2, address);
  const { natGateways, addresses } = readRouting(ec2.network);
  const isOfGateway = natGateways.some((each) => each.allocationId === address.id && isHolding(each, ec2.clock.now()));
  const isTaken = holder !== undefined && holder.instance.id !== instance.id && mayMove === false;
  if (isOfGateway || isTaken)
    throw new AwsError(
      'Resource.AlreadyAssociated',
      `resource ${address.id} is already associated with associate-id ${holder?.associationId ?? ''}`.trim(),
    );
  if (request.DryRun === true) throw dryRunWouldSucceed();
  if (holder?.instance.id === instance.id) return { AssociationId: holder.associationId };
  const association = { id: `eipassoc-0${ec2.random.hex(16)}`, instanceId: instance.id };
  const left = addresses.map((each) =>
    each.association?.instanceId === instance.id ? { id: each.id, publicIp: each.publicIp } : each,
  );
  changeRouting(ec2, () => ({ addresses: putById(left, { ...address, association }) }));
  return { AssociationId: association.id };
}

export function disassociateAddress(ec2: Ec2, request: DisassociateAddressRequest): object {
  const { AssociationId: id, PublicIp: ip, DryRun } = request;
  if (id === undefined && ip === undefined)
    throw new AwsError('MissingParameter', 'Either public IP or association id must be specified');
  const { addresses } = readRouting(ec2.network);
  const found = addresses.find(({ association, publicIp }) =>
    id === undefined ? publicIp === ip : association?.id === id,
  );
  if (found === undefined || findAssociation(ec2, found) === undefined)
    throw id === undefined
      ? new AwsError('InvalidAddress.NotFound', `Address '${ip}' not found or not associated.`)
      : createNotFoundError('InvalidAssociationID.NotFound', 'association ID', id);
  if (DryRun === true) throw dryRunWouldSucceed();
  changeRouting(ec2, () => ({ addresses: putById(addresses, { id: found.id, publicIp: found.publicIp }) }));
  return {};
}

function findAddress({ network }: Ec2, { AllocationId: id, PublicIp: ip }: AssociateAddressRequest): ElasticAddress {
  if (id === undefined && ip === undefined)
    throw new AwsError('MissingParameter', 'Either public IP or allocation id must be specified');
  const { addresses } = readRouting(network);
  const found = addresses.find((each) => (id === undefined ? each.publicIp === ip : each.id === id));
  if (found !== undefined) return found;
  throw id === undefined ? new AwsError('InvalidAddress.NotFound', `Address '${ip}' not found.`) : noSuchAllocation(id);
}

/** Finds the instance that a request names, itself or by its primary interface. */
function findAddressee(ec2: Ec2, { InstanceId: id, NetworkInterfaceId: eni }: AssociateAddressRequest): Ec2Instance {
  if (id === undefined && eni === undefined)
    throw new AwsError('MissingParameter', 'Either instance ID or network interface id must be specified');
  const found = ec2.instances
    .all()
    .find((each) =>
      eni === undefined ? each.id === id : each.networkInterfaceId === eni && each.id === (id ?? each.id),
    );
  if (found === undefined)
    throw eni === undefined
      ? noSuchInstances([id ?? ''])
      : createNotFoundError('InvalidNetworkInterfaceID.NotFound', 'networkInterface ID', eni);
  if (found.state === 'running' || found.state === 'stopped' || found.state === 'stopping') return found;
  throw new AwsError(
    'IncorrectInstanceState',
    `The ${found.state} instance '${found.id}' is not in a valid state for this operation.`,
  );
}
