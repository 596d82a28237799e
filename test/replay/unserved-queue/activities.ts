export interface PostActivities {
  post(): Promise<void>;
}
