import type {
  DescribeInstanceAttributeRequest,
  InstanceAttribute,
  ModifyInstanceAttributeRequest,
} from '@aws-sdk/client-ec2';
import { AwsError } from '../codec/aws-error.ts';
import { dryRunWouldSucceed, invalidValue, missingParameter } from './errors.ts';
import { knownInstances } from './instance-operations.ts';
import type { Ec2Instance } from './instance.ts';
import type { Ec2 } from './model.ts';

/** Changes the termination protection of an instance, the only attribute that can change here. */
export function modifyInstanceAttribute(ec2: Ec2, request: ModifyInstanceAttributeRequest): object {
  const { id, spotRequestId } = findInstance(ec2, request.InstanceId);
  const isProtected = readTerminationProtection(request);
  if (isProtected && spotRequestId !== undefined)
    throw new AwsError('UnsupportedOperation', 'Termination protection is not supported for Spot Instances.');
  if (request.DryRun === true) throw dryRunWouldSucceed();
  ec2.instances.protect(id, isProtected);
  return {};
}

function readTerminationProtection(request: ModifyInstanceAttributeRequest): boolean {
  const { DisableApiTermination, Attribute, Value } = request;
  if (DisableApiTermination?.Value !== undefined) return DisableApiTermination.Value;
  if (Attribute === undefined) throw missingParameter('Attribute');
  if (Attribute !== 'disableApiTermination')
    throw invalidValue(`Invalid value '${Attribute}' for Attribute: only disableApiTermination can change here.`);
  if (Value !== 'true' && Value !== 'false') throw invalidValue(`Invalid value '${Value}' for Value: true or false.`);
  return Value === 'true';
}

export function describeInstanceAttribute(ec2: Ec2, request: DescribeInstanceAttributeRequest): InstanceAttribute {
  const instance = findInstance(ec2, request.InstanceId);
  const InstanceId = instance.id;
  switch (request.Attribute) {
    case 'disableApiTermination':
      return { InstanceId, DisableApiTermination: { Value: instance.isProtected ?? false } };
    case 'instanceType':
      return { InstanceId, InstanceType: { Value: instance.settings.instanceType } };
    case 'userData':
      return {
        InstanceId,
        UserData: instance.settings.userData === undefined ? {} : { Value: instance.settings.userData },
      };
    case undefined:
      throw missingParameter('Attribute');
    default:
      throw invalidValue(
        `Invalid value '${request.Attribute}' for Attribute: it is disableApiTermination, instanceType or userData here.`,
      );
  }
}

function findInstance(ec2: Ec2, id: string | undefined): Ec2Instance {
  if (id === undefined) throw missingParameter('InstanceId');
  const [instance] = knownInstances(ec2, [id]);
  if (instance === undefined) throw new Error(`the instance ${id} was found and is gone`);
  return instance;
}
