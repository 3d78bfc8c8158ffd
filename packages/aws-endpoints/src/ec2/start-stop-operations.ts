import type {
  InstanceStateChange,
  StartInstancesRequest,
  StartInstancesResult,
  StopInstancesRequest,
  StopInstancesResult,
} from '@aws-sdk/client-ec2';
import { AwsError } from '../codec/aws-error.ts';
import { dryRunWouldSucceed } from './errors.ts';
import { requireInstances } from './instance-operations.ts';
import { stateOnTheWire } from './instance-on-the-wire.ts';
import type { Ec2Instance } from './instance.ts';
import type { Ec2 } from './model.ts';

/** Stops instances. Those of one-time spot requests cannot be stopped. */
export function stopInstances(ec2: Ec2, request: StopInstancesRequest): StopInstancesResult {
  const instances = requireInstances(ec2, request.InstanceIds);
  for (const { id, state, spotRequestId } of instances) {
    if (spotRequestId !== undefined)
      throw new AwsError(
        'UnsupportedOperation',
        `You can't stop the Spot Instance '${id}' because it is associated with a one-time Spot Instance request. You can only stop Spot Instances associated with persistent Spot Instance requests.`,
      );
    if (state === 'pending' || hasLeft(state)) throw wrongState(id, 'stopped');
  }
  const kept = instances.find(isStopProtected);
  if (kept !== undefined)
    throw new AwsError(
      'OperationNotPermitted',
      `The instance '${kept.id}' may not be stopped. Modify its 'disableApiStop' instance attribute and try again.`,
    );
  if (request.DryRun === true) throw dryRunWouldSucceed();
  return { StoppingInstances: instances.map((each) => changeState(ec2, each, () => ec2.instances.stop(each.id))) };
}

/** Starts stopped instances. Running ones stay as they are. */
export function startInstances(ec2: Ec2, request: StartInstancesRequest): StartInstancesResult {
  const instances = requireInstances(ec2, request.InstanceIds);
  const wrong = instances.find(({ state }) => state === 'stopping' || hasLeft(state));
  if (wrong !== undefined) throw wrongState(wrong.id, 'started');
  if (request.DryRun === true) throw dryRunWouldSucceed();
  return {
    StartingInstances: instances.map((each) =>
      changeState(ec2, each, () => (each.state === 'stopped' ? ec2.instances.start(each.id) : undefined)),
    ),
  };
}

/** Whether StopInstances refuses to stop it. */
export const isStopProtected = ({ settings, changed }: Ec2Instance): boolean =>
  changed?.DisableApiStop ?? settings.details?.DisableApiStop ?? false;

const hasLeft = (state: Ec2Instance['state']): boolean => state === 'shutting-down' || state === 'terminated';

const wrongState = (id: string, verb: string): AwsError =>
  new AwsError('IncorrectInstanceState', `The instance '${id}' is not in a state from which it can be ${verb}.`);

function changeState(ec2: Ec2, { id, state: before }: Ec2Instance, change: () => void): InstanceStateChange {
  change();
  const now = ec2.instances.get(id)?.state ?? before;
  return { InstanceId: id, PreviousState: stateOnTheWire(before), CurrentState: stateOnTheWire(now) };
}
