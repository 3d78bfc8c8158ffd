import type {
  DescribeInstanceAttributeRequest,
  InstanceAttribute,
  ModifyInstanceAttributeRequest,
  ModifyInstanceMetadataOptionsRequest,
  ModifyInstanceMetadataOptionsResult,
  MonitorInstancesRequest,
  MonitorInstancesResult,
} from '@aws-sdk/client-ec2';
import { writeOwn } from '@nodewright/apis';
import { AwsError } from '../codec/aws-error.ts';
import {
  dryRunWouldSucceed,
  invalidCombination,
  invalidValue,
  missingParameter,
  noSuchSecurityGroup,
} from './errors.ts';
import { writeInstance } from './instance-on-the-wire.ts';
import { knownInstances, requireInstances } from './instance-operations.ts';
import type { ChangedAttributes, Ec2Instance } from './instance.ts';
import type { Ec2 } from './model.ts';
import { isStopProtected } from './start-stop-operations.ts';
import { readStoppedChanges, type StoppedChange } from './stopped-changes.ts';
import { volumesOf } from './volumes-of.ts';

type Change =
  | { readonly changed: ChangedAttributes }
  | { readonly isProtected: boolean }
  | { readonly devices: readonly DeviceChange[] }
  | { readonly settings: StoppedChange };

/** Whether the volume at a device ends with the instance from now on. */
type DeviceChange = { readonly device: string; readonly endsWithInstance: boolean };

/** Changes one attribute of an instance. */
export function modifyInstanceAttribute(ec2: Ec2, request: ModifyInstanceAttributeRequest): object {
  const instance = findDescribedInstance(ec2, request.InstanceId);
  const changes = listChanges(ec2, instance, request);
  const [change] = changes;
  if (change === undefined) throw refuseAttribute(request);
  if (changes.length > 1) throw invalidCombination('Fields for multiple attribute types specified');
  if (request.DryRun === true) throw dryRunWouldSucceed();
  if ('isProtected' in change) ec2.instances.protect(instance.id, change.isProtected);
  else if ('devices' in change) changeDevices(ec2, instance, change.devices);
  else if ('settings' in change) ec2.instances.changeSettings(instance.id, change.settings);
  else ec2.instances.change(instance.id, change.changed);
  return {};
}

function refuseAttribute({ Attribute, Kernel, Ramdisk }: ModifyInstanceAttributeRequest): AwsError {
  if (Attribute !== undefined)
    return invalidValue(`Invalid value '${Attribute}' for Attribute: it cannot change in the sandbox.`);
  return Kernel !== undefined || Ramdisk !== undefined
    ? new AwsError('UnsupportedOperation', 'The sandbox does not change this attribute of an instance.')
    : missingParameter('Attribute');
}

/** An attribute has a member of its own, or is named beside its value. */
function listChanges(ec2: Ec2, instance: Ec2Instance, request: ModifyInstanceAttributeRequest): readonly Change[] {
  const named = request.Attribute;
  const value = request.Value;
  const flagOf = (attribute: string, member: { Value?: boolean | undefined } | undefined): boolean | undefined =>
    member?.Value ?? (named === attribute ? readFlag(value) : undefined);
  const isProtected = flagOf('disableApiTermination', request.DisableApiTermination);
  const DisableApiStop = flagOf('disableApiStop', request.DisableApiStop);
  const sourceDestCheck = flagOf('sourceDestCheck', request.SourceDestCheck);
  const EbsOptimized = flagOf('ebsOptimized', request.EbsOptimized);
  const behavior =
    request.InstanceInitiatedShutdownBehavior?.Value ??
    (named === 'instanceInitiatedShutdownBehavior' ? value : undefined);
  if (isProtected === true) requireOnDemand(instance);
  return [
    ...readStoppedChanges(ec2, instance, request).map((settings) => ({ settings })),
    ...(isProtected === undefined ? [] : [{ isProtected }]),
    ...(DisableApiStop === undefined ? [] : [{ changed: { DisableApiStop } }]),
    ...(sourceDestCheck === undefined ? [] : [{ changed: { sourceDestCheck } }]),
    ...(EbsOptimized === undefined ? [] : [{ changed: { EbsOptimized } }]),
    ...(behavior === undefined ? [] : [{ changed: { InstanceInitiatedShutdownBehavior: readBehavior(behavior) } }]),
    ...(request.BlockDeviceMappings === undefined ? [] : [{ devices: readDevices(ec2, instance, request) }]),
    ...(request.Groups === undefined ? [] : [{ changed: { securityGroupIds: readGroups(ec2, request.Groups) } }]),
  ];
}

/** @throws AwsError for a device at which the instance has no volume */
function readDevices(
  { volumes }: Ec2,
  instance: Ec2Instance,
  { BlockDeviceMappings: mappings = [] }: ModifyInstanceAttributeRequest,
): readonly DeviceChange[] {
  const attached = volumes.attachedTo(instance.id).map(({ attachment }) => attachment?.device);
  const known = new Set([...volumesOf(instance).map(({ device }) => device), ...attached]);
  return mappings.flatMap(({ DeviceName: device = '', Ebs }) => {
    if (Ebs?.DeleteOnTermination === undefined) return [];
    if (!known.has(device))
      throw new AwsError('InvalidInstanceAttributeValue', `No device is currently mapped at ${device}`);
    return [{ device, endsWithInstance: Ebs.DeleteOnTermination }];
  });
}

/** The instance keeps what holds for volumes of its launch; a volume that was attached later keeps it itself. */
function changeDevices({ instances, volumes }: Ec2, instance: Ec2Instance, devices: readonly DeviceChange[]): void {
  const launched: Record<string, boolean> = { ...instance.changed?.deleteOnTermination };
  for (const { device, endsWithInstance } of devices) {
    const attached = volumes.attachedTo(instance.id).find(({ attachment }) => attachment?.device === device);
    if (attached?.attachment === undefined) writeOwn(launched, device, endsWithInstance);
    else volumes.keep({ ...attached, attachment: { ...attached.attachment, endsWithInstance } });
  }
  instances.change(instance.id, { deleteOnTermination: launched });
}

function requireOnDemand({ spotRequestId }: Ec2Instance): void {
  if (spotRequestId === undefined) return;
  throw new AwsError('UnsupportedOperation', 'Termination protection is not supported for Spot Instances.');
}

function readFlag(value: string | undefined): boolean {
  if (value !== 'true' && value !== 'false') throw invalidValue(`Invalid value '${value}' for Value: true or false.`);
  return value === 'true';
}

function readBehavior(value: string): 'stop' | 'terminate' {
  if (value !== 'stop' && value !== 'terminate')
    throw invalidValue(`Invalid value '${value}' for InstanceInitiatedShutdownBehavior: stop or terminate.`);
  return value;
}

function readGroups({ network }: Ec2, ids: readonly string[]): readonly string[] {
  const unknown = ids.find((id) => !network.securityGroups.some((group) => group.id === id));
  if (unknown !== undefined) throw noSuchSecurityGroup(unknown);
  return [...new Set(ids)];
}

export function modifyInstanceMetadataOptions(
  ec2: Ec2,
  request: ModifyInstanceMetadataOptionsRequest,
): ModifyInstanceMetadataOptionsResult {
  const { InstanceId, DryRun, HttpPutResponseHopLimit: hops, ...options } = request;
  const instance = findDescribedInstance(ec2, InstanceId);
  if (hops !== undefined && (hops < 1 || hops > 64))
    throw invalidValue(
      `Value (${hops}) for parameter HttpPutResponseHopLimit is invalid. Specify a value between 1 and 64.`,
    );
  if (DryRun === true) throw dryRunWouldSucceed();
  const MetadataOptions = {
    ...instance.settings.details?.MetadataOptions,
    ...instance.changed?.MetadataOptions,
    ...options,
    ...(hops !== undefined && { HttpPutResponseHopLimit: hops }),
  };
  const changed = ec2.instances.change(instance.id, { MetadataOptions });
  return {
    InstanceId: instance.id,
    InstanceMetadataOptions: writeInstance(ec2, changed ?? instance).MetadataOptions,
  };
}

export const monitorInstances = (ec2: Ec2, request: MonitorInstancesRequest): MonitorInstancesResult =>
  setMonitoring(ec2, request, true);

export const unmonitorInstances = (ec2: Ec2, request: MonitorInstancesRequest): MonitorInstancesResult =>
  setMonitoring(ec2, request, false);

function setMonitoring(ec2: Ec2, request: MonitorInstancesRequest, monitoring: boolean): MonitorInstancesResult {
  const instances = requireInstances(ec2, request.InstanceIds);
  if (request.DryRun === true) throw dryRunWouldSucceed();
  for (const { id } of instances) ec2.instances.change(id, { monitoring });
  const State = monitoring ? 'enabled' : 'disabled';
  return { InstanceMonitorings: instances.map(({ id }) => ({ InstanceId: id, Monitoring: { State } })) };
}

export function describeInstanceAttribute(ec2: Ec2, request: DescribeInstanceAttributeRequest): InstanceAttribute {
  const instance = findDescribedInstance(ec2, request.InstanceId);
  const record = writeInstance(ec2, instance);
  const InstanceId = instance.id;
  const { Attribute: attribute } = request;
  switch (attribute) {
    case 'blockDeviceMapping':
      return { InstanceId, BlockDeviceMappings: record.BlockDeviceMappings };
    case 'disableApiStop':
      return { InstanceId, DisableApiStop: { Value: isStopProtected(instance) } };
    case 'disableApiTermination':
      return { InstanceId, DisableApiTermination: { Value: instance.isProtected ?? false } };
    case 'ebsOptimized':
      return { InstanceId, EbsOptimized: { Value: record.EbsOptimized } };
    case 'enaSupport':
      return { InstanceId, EnaSupport: { Value: record.EnaSupport } };
    case 'enclaveOptions':
      return { InstanceId, EnclaveOptions: record.EnclaveOptions };
    case 'groupSet':
      return { InstanceId, Groups: record.SecurityGroups };
    case 'instanceInitiatedShutdownBehavior': {
      const { InstanceInitiatedShutdownBehavior: Value = 'stop' } = {
        ...instance.settings.details,
        ...instance.changed,
      };
      return { InstanceId, InstanceInitiatedShutdownBehavior: { Value } };
    }
    case 'instanceType':
      return { InstanceId, InstanceType: { Value: instance.settings.instanceType } };
    case 'productCodes':
      return { InstanceId, ProductCodes: [] };
    case 'rootDeviceName':
      return { InstanceId, RootDeviceName: { Value: record.RootDeviceName } };
    case 'sourceDestCheck':
      return { InstanceId, SourceDestCheck: { Value: record.SourceDestCheck } };
    case 'sriovNetSupport':
      return { InstanceId, SriovNetSupport: { Value: 'simple' } };
    case 'userData':
      return {
        InstanceId,
        UserData: instance.settings.userData === undefined ? {} : { Value: instance.settings.userData },
      };
    case 'kernel':
      return { InstanceId, KernelId: {} };
    case 'ramdisk':
      return { InstanceId, RamdiskId: {} };
    default:
      throw missingParameter('Attribute');
  }
}

/** @throws AwsError when there is no such instance */
export function findDescribedInstance(ec2: Ec2, id: string | undefined): Ec2Instance {
  if (id === undefined) throw missingParameter('InstanceId');
  const [instance] = knownInstances(ec2, [id]);
  if (instance === undefined) throw new Error(`the instance ${id} was found and is gone`);
  return instance;
}
