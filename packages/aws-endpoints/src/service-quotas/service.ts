import {
  GetAWSDefaultServiceQuota$,
  type GetAWSDefaultServiceQuotaRequest,
  type GetAWSDefaultServiceQuotaResponse,
  GetServiceQuota$,
  type GetServiceQuotaRequest,
  type GetServiceQuotaResponse,
  ListAWSDefaultServiceQuotas$,
  type ListAWSDefaultServiceQuotasRequest,
  type ListAWSDefaultServiceQuotasResponse,
  ListServiceQuotas$,
  type ListServiceQuotasRequest,
  type ListServiceQuotasResponse,
  ListServices$,
  type ListServicesRequest,
  type ListServicesResponse,
} from '@aws-sdk/client-service-quotas';
import type { AwsAccount } from '../account.ts';
import { AwsError } from '../codec/aws-error.ts';
import { jsonProtocol } from '../codec/json-protocol.ts';
import { type VcpuQuota, vcpuQuotas } from '../catalogue/vcpu-quotas.ts';
import { vcpusGranted } from '../ec2/vcpu-limits.ts';
import type { Faults } from '../faults/faults.ts';
import { type ResultPage, takePage } from '../paging.ts';
import { defineOperation, type AwsService } from '../service.ts';
import { ec2, quotaOnTheWire } from './quota-on-the-wire.ts';
import { quotaConstraints, quotaLimits } from './input-limits.ts';

/** The quotas of EC2 that count vCPUs. Launches in the sandbox keep them. */
export function serviceQuotasService(deps: { readonly account: AwsAccount; readonly faults: Faults }): AwsService {
  const { region, id: accountId } = deps.account;
  const applied = (quota: VcpuQuota) => quotaOnTheWire(quota, vcpusGranted(quota, deps.faults), { region, accountId });
  const usual = (quota: VcpuQuota) => quotaOnTheWire(quota, quota.usualVcpus, { region });
  return {
    name: 'servicequotas',
    protocol: jsonProtocol({ version: '1.1' }),
    commonErrors: {
      throttling: { code: 'ThrottlingException', status: 400 },
      accessDenied: { code: 'AccessDeniedException', status: 403 },
    },
    limits: quotaLimits,
    constraints: quotaConstraints,
    operations: [
      defineOperation(
        ListServiceQuotas$,
        ({ QuotaCode: code, ...request }: ListServiceQuotasRequest): ListServiceQuotasResponse => {
          const quotas = quotasOf(request.ServiceCode).filter((quota) => quota.code === (code ?? quota.code));
          const { items, next } = quotaPage(quotas, request);
          return { Quotas: items.map(applied), ...(next && { NextToken: next }) };
        },
      ),
      defineOperation(
        ListAWSDefaultServiceQuotas$,
        (request: ListAWSDefaultServiceQuotasRequest): ListAWSDefaultServiceQuotasResponse => {
          const { items, next } = quotaPage(quotasOf(request.ServiceCode), request);
          return { Quotas: items.map(usual), ...(next && { NextToken: next }) };
        },
      ),
      defineOperation(GetServiceQuota$, (request: GetServiceQuotaRequest): GetServiceQuotaResponse => ({
        Quota: applied(quotaNamed(request)),
      })),
      defineOperation(
        GetAWSDefaultServiceQuota$,
        (request: GetAWSDefaultServiceQuotaRequest): GetAWSDefaultServiceQuotaResponse => ({
          Quota: usual(quotaNamed(request)),
        }),
      ),
      defineOperation(ListServices$, (request: ListServicesRequest): ListServicesResponse => ({
        Services: [...quotaPage([ec2], request).items],
      })),
    ],
  };
}

type QuotaName = { readonly ServiceCode: string | undefined; readonly QuotaCode: string | undefined };

function quotaNamed({ ServiceCode: service, QuotaCode: code }: QuotaName): VcpuQuota {
  const quota = quotasOf(service).find((each) => each.code === code);
  if (quota === undefined) throw noSuchQuota(`The service ec2 has no quota ${code} here that counts vCPUs.`);
  return quota;
}

function quotasOf(service: string | undefined): readonly VcpuQuota[] {
  if (service !== ec2.ServiceCode)
    throw noSuchQuota(`The sandbox has no quotas of the service ${service}, only of ec2.`);
  return vcpuQuotas;
}

const noSuchQuota = (message: string): AwsError => new AwsError('NoSuchResourceException', message);

type QuotaPageRequest = { readonly MaxResults?: number | undefined; readonly NextToken?: string | undefined };

const mostQuotasOnPage = 100;

function quotaPage<T>(
  all: readonly T[],
  { MaxResults: size = mostQuotasOnPage, NextToken: token }: QuotaPageRequest,
): ResultPage<T> {
  return takePage(all, { size, token, refuse: quotasBadToken });
}

const quotasBadToken = (token: string): AwsError =>
  new AwsError('InvalidPaginationTokenException', `The pagination token is invalid: ${token}`);
