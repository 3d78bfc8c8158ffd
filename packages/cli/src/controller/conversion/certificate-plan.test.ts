import { days, fromTimestamp, instant } from '@nodewright/apis';
import { expect, test } from 'vitest';
import { type CertificateAges, planCertificates } from './certificate-plan.ts';

const start = fromTimestamp('2026-01-01T00:00:00Z');
const on = (day: number) => instant(start + days(day));
const from = (day: number, life: number) => ({ notBefore: on(day), notAfter: on(day + life) });
const hosts = ['a.b.svc'];

const ages = (change: Partial<CertificateAges['serving']> = {}, authorities = [from(0, 365)]): CertificateAges => ({
  authorities,
  serving: { ...from(0, 90), hosts, isOfNewest: true, ...change },
});

test.each([
  { fact: 'none are there', has: undefined, day: 0, plan: 'begin' },
  { fact: 'there is no authority', has: ages({}, []), day: 0, plan: 'begin' },
  { fact: 'the newest authority is over', has: ages({}, [from(-400, 365)]), day: 0, plan: 'begin' },
  { fact: 'all are new', has: ages(), day: 1, plan: 'keep' },
  { fact: 'the serving certificate has a third of its life left', has: ages(), day: 60, plan: 'issueServing' },
  { fact: 'the serving certificate is almost that old', has: ages(), day: 59.9, plan: 'keep' },
  { fact: 'the serving certificate is over', has: ages(), day: 90, plan: 'issueServing' },
  { fact: 'the Service has another name', has: ages({ hosts: ['c.b.svc'] }), day: 1, plan: 'issueServing' },
  {
    fact: 'the authority has a third of its life left, the serving certificate more',
    has: ages(from(200, 90)),
    day: 244,
    plan: 'addAuthority',
  },
  {
    fact: 'the newest authority is not known everywhere',
    has: ages({ ...from(200, 90), isOfNewest: false }, [from(244, 365), from(0, 365)]),
    day: 244.9,
    plan: 'keep',
  },
  {
    fact: 'the newest authority is known everywhere',
    has: ages({ ...from(200, 90), isOfNewest: false }, [from(244, 365), from(0, 365)]),
    day: 245,
    plan: 'issueServing',
  },
])('$plan when $fact', ({ has, day, plan }) => {
  expect(planCertificates(has, hosts, on(day))).toBe(plan);
});
