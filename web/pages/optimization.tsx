import { LatencyPercentiles } from '../components/artifacts/latency-percentiles.tsx';
import { optimization } from '../content/optimization.ts';
import { ServiceDetailPage } from '../features/services/service-detail-page.tsx';

export function OptimizationPage() {
  return <ServiceDetailPage slug="optimization" detail={optimization} artifact={<LatencyPercentiles />} />;
}
