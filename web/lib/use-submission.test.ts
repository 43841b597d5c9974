import { expect, test, vi } from 'vitest';
import { settle } from './use-submission.ts';

const call = async (n: number) => n * 2;
const refuse = async () => {
  throw new Error('refused');
};
const broken = () => {
  throw new Error('broken');
};

test('a call that succeeds ends with its answer, after its handlers', async () => {
  const onSuccess = vi.fn();
  const onSettled = vi.fn();
  expect(await settle({ current: { call, onSuccess, onSettled } }, 2)).toMatchObject({
    isSuccess: true,
    data: 4,
  });
  expect(onSuccess).toHaveBeenCalledWith(4, 2);
  expect(onSettled).toHaveBeenCalledOnce();
});

test('a call that fails ends with its error', async () => {
  const onError = vi.fn();
  const ended = await settle({ current: { call: refuse, onError } }, 2);
  expect(ended).toMatchObject({ isPending: false, error: { message: 'refused' }, variables: 2 });
  expect(onError).toHaveBeenCalledOnce();
});

test.each([
  ['onSuccess', { call, onSuccess: broken }],
  ['onError', { call: refuse, onError: broken }],
  ['onSettled', { call, onSettled: broken }],
])('a form does not stay pending when its %s fails', async (_handler, options) => {
  expect(await settle({ current: options }, 2)).toMatchObject({
    isPending: false,
    error: { message: 'broken' },
  });
});
