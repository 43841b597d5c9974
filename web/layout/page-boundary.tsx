import { Component, type ReactNode } from 'react';
import { Button } from '../components/ui/button.tsx';

interface Props {
  /** Navigating elsewhere resets the boundary. */
  address: string;
  children: ReactNode;
}

/** Catches a page whose code cannot be fetched or throws. */
export class PageBoundary extends Component<Props, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override componentDidUpdate(before: Props) {
    if (this.state.failed && before.address !== this.props.address) this.setState({ failed: false });
  }

  override render() {
    if (!this.state.failed) return this.props.children;
    return (
      <div role="alert" className="content py-20 lg:py-28">
        <h1 className="text-4xl">This page could not be loaded</h1>
        <p className="mt-5 max-w-[37em] text-lg text-muted">
          You may be offline, or the site may have just been updated. Nothing you have done is lost.
        </p>
        <Button className="mt-8" onClick={() => window.location.reload()}>
          Reload
        </Button>
      </div>
    );
  }
}
