import type {
  AttachNetworkInterfaceRequest,
  AttachNetworkInterfaceResult,
  DetachNetworkInterfaceRequest,
} from '@aws-sdk/client-ec2';
import { typeNamed } from '../catalogue/catalogue.ts';
import { AwsError } from '../codec/aws-error.ts';
import { listInterfaces } from './describe-network-interfaces.ts';
import { dryRunWouldSucceed, invalidCombination, invalidValue, missingParameter, noSuchInstances } from './errors.ts';
import type { Ec2Instance } from './instance.ts';
import { writeInterfaces } from './interfaces-on-the-wire.ts';
import type { Ec2 } from './model.ts';
import { detachInterface } from './own-interfaces.ts';

export function attachNetworkInterface(ec2: Ec2, request: AttachNetworkInterfaceRequest): AttachNetworkInterfaceResult {
  const { NetworkInterfaceId: id, InstanceId: instanceId, DeviceIndex: device, NetworkCardIndex: card = 0 } = request;
  if (id === undefined) throw missingParameter('networkInterfaceId');
  if (instanceId === undefined) throw missingParameter('instanceId');
  if (device === undefined) throw missingParameter('deviceIndex');
  requireFreeInterface(ec2, id);
  const own = ec2.interfaces.get(id);
  const instance = ec2.instances.get(instanceId);
  if (instance === undefined) throw noSuchInstances([instanceId]);
  requireRoom(ec2, instance, { device, card });
  if (ec2.network.subnets.find((subnet) => subnet.id === own.subnetId)?.zone !== instance.zone)
    throw invalidCombination(
      'You may not attach a network interface to an instance if they are not in the same availability zone',
    );
  if (request.DryRun === true) throw dryRunWouldSucceed();
  const attachment = {
    id: `eni-attach-0${ec2.random.hex(16)}`,
    instanceId,
    device,
    card,
    attachedAt: ec2.clock.now(),
    endsWithInstance: false,
  };
  ec2.interfaces.keep({ ...own, attachment });
  return { AttachmentId: attachment.id, NetworkCardIndex: card };
}

/** @throws AwsError for an interface that an instance has */
function requireFreeInterface(ec2: Ec2, id: string): void {
  const found = listInterfaces(ec2).find(({ NetworkInterfaceId }) => NetworkInterfaceId === id);
  if (found?.Attachment !== undefined)
    throw new AwsError('InvalidNetworkInterface.InUse', `Interface: [${id}] in use.`);
}

/** @throws AwsError for an instance that takes no interface now, or none at this place */
function requireRoom(ec2: Ec2, instance: Ec2Instance, { device, card }: { device: number; card: number }): void {
  const { id, state, settings } = instance;
  if (state !== 'running' && state !== 'stopped')
    throw new AwsError('IncorrectState', `Instance '${id}' is not 'running' or 'stopped'`);
  const attached = writeInterfaces(ec2, instance).map(({ Attachment }) => Attachment);
  if (attached.some((each) => each?.DeviceIndex === device && each.NetworkCardIndex === card))
    throw invalidValue(`Instance '${id}' already has an interface attached at device index '${device}'.`);
  const type = typeNamed(settings.instanceType);
  const most = (type?.interfaces ?? 1) * (type?.fabric?.cards ?? 1);
  if (attached.length >= most)
    throw new AwsError(
      'AttachmentLimitExceeded',
      `Interface count ${attached.length + 1} exceeds the limit for ${settings.instanceType}`,
    );
}

export function detachNetworkInterface(ec2: Ec2, { AttachmentId: id, DryRun }: DetachNetworkInterfaceRequest): object {
  if (id === undefined) throw missingParameter('attachmentId');
  const own = ec2.interfaces.all().find(({ attachment }) => attachment?.id === id);
  if (own === undefined) throw refuseDetachment(ec2, id);
  if (DryRun === true) throw dryRunWouldSucceed();
  ec2.interfaces.keep(detachInterface(own));
  return {};
}

/** An interface of a launch stays with its instance here; in EC2 only the primary one does. */
function refuseDetachment(ec2: Ec2, id: string): AwsError {
  const launched = listInterfaces(ec2).find(({ Attachment }) => Attachment?.AttachmentId === id)?.Attachment;
  if (launched === undefined)
    return new AwsError('InvalidAttachmentID.NotFound', `The attachment ID '${id}' does not exist`);
  return new AwsError(
    'OperationNotPermitted',
    launched.DeviceIndex === 0
      ? 'The network interface at device index 0 and networkCard index 0 cannot be detached.'
      : 'The sandbox detaches only interfaces that were attached after the launch of their instance.',
  );
}
