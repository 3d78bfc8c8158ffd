import {
  CancelInstanceRefresh$,
  CompleteLifecycleAction$,
  CreateAutoScalingGroup$,
  CreateOrUpdateTags$,
  DeleteAutoScalingGroup$,
  DeleteLifecycleHook$,
  DeletePolicy$,
  DescribePolicies$,
  ExecutePolicy$,
  PutScalingPolicy$,
  DeleteTags$,
  DeleteWarmPool$,
  DescribeAutoScalingGroups$,
  DescribeAutoScalingInstances$,
  DescribeInstanceRefreshes$,
  DescribeLifecycleHooks$,
  DescribeLifecycleHookTypes$,
  DescribeScalingActivities$,
  DescribeTags$,
  DescribeWarmPool$,
  EnterStandby$,
  ExitStandby$,
  PutLifecycleHook$,
  PutWarmPool$,
  RecordLifecycleActionHeartbeat$,
  ResumeProcesses$,
  RollbackInstanceRefresh$,
  SetDesiredCapacity$,
  SetInstanceHealth$,
  SetInstanceProtection$,
  StartInstanceRefresh$,
  SuspendProcesses$,
  TerminateInstanceInAutoScalingGroup$,
  UpdateAutoScalingGroup$,
} from '@aws-sdk/client-auto-scaling';
import { queryProtocol } from '../codec/query-protocol.ts';
import type { OperationSchema } from '../codec/shape.ts';
import { defineOperation, type AwsOperation, type AwsService } from '../service.ts';
import {
  createAutoScalingGroup,
  deleteGroup,
  describeActivities,
  describeGroups,
  describeAutoScalingInstances,
  resumeProcesses,
  setDesiredCapacity,
  suspendProcesses,
  terminateInstance,
  updateGroup,
} from './operations/group-operations.ts';
import {
  completeAction,
  deleteHook,
  describeHooks,
  describeHookTypes,
  putHook,
  recordHeartbeat,
} from './operations/hook-operations.ts';
import type { AutoScalingService } from './model.ts';
import { deletePolicy, describePolicies, executePolicy, putScalingPolicy } from './operations/policy-operations.ts';
import { cancelRefresh, describeRefreshes, rollBackRefresh, startRefresh } from './operations/refresh-operations.ts';
import { enterStandby, exitStandby, setHealth, setProtection } from './operations/standby-operations.ts';
import { deleteWarmPool, describeWarmPool, putWarmPool } from './operations/warm-pool-operations.ts';
import { createOrUpdateTags, deleteGroupTags, describeGroupTags } from './operations/tag-operations.ts';
import { autoScalingConstraints, autoScalingLimits } from './input-limits.ts';

export const autoScalingService = (model: AutoScalingService): AwsService => {
  const serve = <Input, Output extends object>(
    schema: OperationSchema,
    work: (model: AutoScalingService, input: Input) => Output,
  ): AwsOperation => defineOperation(schema, (input: Input) => work(model, input));
  return {
    name: 'autoscaling',
    protocol: queryProtocol({ dialect: 'awsQuery', namespace: 'http://autoscaling.amazonaws.com/doc/2011-01-01/' }),
    commonErrors: {
      throttling: { code: 'Throttling', status: 400 },
      accessDenied: { code: 'AccessDenied', status: 403 },
    },
    limits: autoScalingLimits,
    constraints: autoScalingConstraints,
    operations: [
      serve(CancelInstanceRefresh$, cancelRefresh),
      serve(CompleteLifecycleAction$, completeAction),
      serve(CreateAutoScalingGroup$, createAutoScalingGroup),
      serve(CreateOrUpdateTags$, createOrUpdateTags),
      serve(DeleteAutoScalingGroup$, deleteGroup),
      serve(DeleteLifecycleHook$, deleteHook),
      serve(DeletePolicy$, deletePolicy),
      serve(DescribePolicies$, describePolicies),
      serve(ExecutePolicy$, executePolicy),
      serve(PutScalingPolicy$, putScalingPolicy),
      serve(DeleteTags$, deleteGroupTags),
      serve(DescribeAutoScalingGroups$, describeGroups),
      serve(DescribeAutoScalingInstances$, describeAutoScalingInstances),
      serve(DescribeInstanceRefreshes$, describeRefreshes),
      serve(DescribeLifecycleHooks$, describeHooks),
      serve(DescribeLifecycleHookTypes$, describeHookTypes),
      serve(DescribeScalingActivities$, describeActivities),
      serve(DescribeTags$, describeGroupTags),
      serve(DescribeWarmPool$, describeWarmPool),
      serve(DeleteWarmPool$, deleteWarmPool),
      serve(EnterStandby$, enterStandby),
      serve(ExitStandby$, exitStandby),
      serve(PutWarmPool$, putWarmPool),
      serve(PutLifecycleHook$, putHook),
      serve(RecordLifecycleActionHeartbeat$, recordHeartbeat),
      serve(ResumeProcesses$, resumeProcesses),
      serve(RollbackInstanceRefresh$, rollBackRefresh),
      serve(SetDesiredCapacity$, setDesiredCapacity),
      serve(SetInstanceHealth$, setHealth),
      serve(SetInstanceProtection$, setProtection),
      serve(StartInstanceRefresh$, startRefresh),
      serve(SuspendProcesses$, suspendProcesses),
      serve(TerminateInstanceInAutoScalingGroup$, terminateInstance),
      serve(UpdateAutoScalingGroup$, updateGroup),
    ],
  };
};
