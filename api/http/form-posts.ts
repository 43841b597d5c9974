import express, { type Request, type RequestHandler, type Response } from 'express';
import { paths } from '../../core/paths.ts';
import { sendPlainPage } from './plain-page.tsx';

interface FormPage {
  succeeded: string;
  failed: string;
  /** The page of a form with fields; a form without fields needs no way back. */
  back?: string;
}

/** Calls that the site's forms can make without JavaScript, by path below /api. */
const forms: Record<string, FormPage> = {
  '/contact': { succeeded: 'Message Sent!', failed: 'Your message was not sent', back: paths.contact },
  '/newsletter/subscribe': { succeeded: 'Subscribed!', failed: 'Subscription Failed', back: paths.home },
};

const home: [string, string] = [paths.home, 'Home'];
const readForm = express.urlencoded({ extended: false, limit: '32kb' });

/** Accepts a form posted without JavaScript: the fields are the body, the response is a page. */
export const formPosts: RequestHandler = function readFormPost(req, res, next) {
  const form = forms[req.path];
  if (!form || req.method !== 'POST' || !req.is('application/x-www-form-urlencoded')) return next();
  answerWithPage(res, form);
  readForm(req, res, next);
};

export function isFormPost(req: Request): boolean {
  return req.path in forms && Boolean(req.is('application/x-www-form-urlencoded'));
}

/** For a form that posts to its own page's URL: no fields, only the URL's token. */
export function ownAddressForm(form: FormPage): RequestHandler {
  return function readOwnAddressForm(req, res, next) {
    answerWithPage(res, form);
    readForm(req, res, next);
  };
}

function answerWithPage(res: Response, { succeeded, failed, back }: FormPage): void {
  res.json = ({ message }: { message: string }) => {
    const isSuccess = res.statusCode < 400;
    const hint = isSuccess || !back ? '' : ' Go back, and what you typed is still there.';
    sendPlainPage(res, res.statusCode, {
      title: isSuccess ? succeeded : failed,
      text: `${message.replace(/\.$/, '')}.${hint}`,
      links: back ? [[back, 'Back to the form'], home] : [home],
    });
    return res;
  };
}
