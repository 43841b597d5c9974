import express, { type Request, type RequestHandler, type Response } from 'express';
import { paths } from '../../core/paths.ts';
import { sendPlainPage } from './plain-page.tsx';

interface FormPage {
  succeeded: string;
  failed: string;
  back: string;
}

/** The calls that the site's forms reach without script, by path below /api. */
const forms: Record<string, FormPage> = {
  '/contact': { succeeded: 'Message Sent!', failed: 'Your message was not sent', back: paths.contact },
  '/newsletter/subscribe': { succeeded: 'Subscribed!', failed: 'Subscription Failed', back: paths.home },
};

const readForm = express.urlencoded({ extended: false, limit: '32kb' });

/** Lets a form be posted without script: its fields are the body, and the answer is a page. */
export const formPosts: RequestHandler = function readFormPost(req, res, next) {
  const form = forms[req.path];
  if (!form || req.method !== 'POST' || !req.is('application/x-www-form-urlencoded')) return next();
  answerWithPage(res, form);
  readForm(req, res, next);
};

export function isFormPost(req: Request): boolean {
  return req.path in forms && Boolean(req.is('application/x-www-form-urlencoded'));
}

function answerWithPage(res: Response, { succeeded, failed, back }: FormPage): void {
  res.json = ({ message }: { message: string }) => {
    const isSuccess = res.statusCode < 400;
    sendPlainPage(res, res.statusCode, {
      title: isSuccess ? succeeded : failed,
      text: isSuccess
        ? message
        : `${message}. Go back, and what you typed is still there.`.replace('..', '.'),
      links: [
        [back, 'Back to the form'],
        [paths.home, 'Home'],
      ],
    });
    return res;
  };
}
